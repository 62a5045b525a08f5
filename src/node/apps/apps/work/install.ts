import { kernelFail } from "../../../../kernel/http/errors.ts";
import { toIso } from "../../../../lib/clock.ts";
import type { Asker } from "../../../platform/operations/index.ts";
import { resolveInputs } from "../blueprint/inputs.ts";
import { ensureSecrets } from "../blueprint/secrets.ts";
import type { InstallInput, InstallResult } from "../contract.ts";
import { touchList } from "../move.ts";
import type { Own } from "../needs.ts";
import {
  assertAppName,
  assertBelowLimit,
  assertConfigFits,
  assertNameFree,
  assertReadable,
  unconfirmed,
} from "../plan/conditions.ts";
import { findPorts, MOST_LOOKS, reservedByOthers, reservePorts } from "../plan/find-ports.ts";
import { findPathDangers, openDangers } from "../plan/host-paths.ts";
import { findKeptData } from "../plan/kept-data.ts";
import type { PlacedPort } from "../plan/ports.ts";
import { resolveReach, type Visitor, visitorOf } from "../plan/reach.ts";
import { type AppRow, insertApp, updateApp } from "../store.ts";
import { launchWork } from "./launch.ts";
import { startOperation } from "./start-operation.ts";

function assertConfirmed(missing: readonly string[]): void {
  if (missing.length > 0)
    throw kernelFail("invalid_request", { field: "config.permissions", reason: `must confirm ${missing.join(", ")}` });
}

/**
 * Begins to install an app and returns at once; the operation tells the rest. Data of an earlier app of that name and
 * template is taken up again unless the input says otherwise. Throws `template_not_found`, `invalid_request`,
 * `app_name_taken`, `app_limit_reached`, `app_port_taken`, `app_data_not_found`, `pulls_busy`, `runtime_unavailable`.
 */
export async function installApp(
  own: Own,
  by: Asker,
  input: InstallInput,
  visitor: Visitor = visitorOf(by.ip, null),
): Promise<InstallResult> {
  const { name, config: asked = {} } = input;
  const template = await own.templates.load(input.template);
  const { manifest, composeText } = template;
  assertAppName(name);
  assertConfigFits(own, manifest, asked);
  // Written down, so that a later try by somebody else opens the app for nobody else.
  const config = { ...asked, reach: resolveReach(own, manifest, asked, visitor) };
  const answers = resolveInputs(manifest.inputs, config.inputs ?? {});
  assertConfirmed(unconfirmed(template, config));
  assertNameFree(own, name);
  findKeptData(own, manifest.name, name, input.restore);
  assertBelowLimit(own);
  own.runtime.requireEngine();

  type Begun = AppRow & { op_id: string };
  function insert(ports: readonly PlacedPort[]): Begun {
    // Asked again: somebody else may have come first while the ports were looked for.
    assertNameFree(own, name);
    assertBelowLimit(own);
    own.pulls.assertRoom(by);
    const kept = findKeptData(own, manifest.name, name, input.restore);
    const row: AppRow = {
      id: kept?.app_id ?? own.ids.next("app"),
      name,
      template: manifest.name,
      version: manifest.version,
      status: "installing",
      cause: null,
      next_step: null,
      created_at: toIso(own.clock.now()),
      installed_at: null,
      started_at: null,
      work: "install",
      op_id: null,
      delete_data: 0,
      config: JSON.stringify(config),
      manifest: JSON.stringify(manifest),
      compose: composeText,
      generation: kept?.generation ?? 0,
    };
    insertApp(own.db, row);
    reservePorts(own.db, row.id, ports);
    ensureSecrets(own, row.id, manifest.secrets);
    const op = startOperation(own, row, "install", by);
    updateApp(own.db, { ...row, op_id: op.id });
    touchList(own);
    own.bus.emit("app.status_changed", { id: row.id, status: row.status, cause: null });
    return { ...row, op_id: op.id };
  }

  let app: Begun | null = null;
  // Somebody else may have taken a port while it was looked for; then others are.
  for (let looks = 1; app === null; looks++) {
    const ports = await findPorts(own, manifest, config, visitor);
    const project = assertReadable(template, answers, ports);
    assertConfirmed(openDangers(await findPathDangers(own, project, null), config).map(({ id }) => id));
    const mayLookAgain = looks < MOST_LOOKS;
    app = own.db.tx(() => (mayLookAgain && reservedByOthers(own.db, null, ports).length > 0 ? null : insert(ports)));
  }
  launchWork(own, app.id);
  const { id, status, created_at, op_id } = app;
  return { id, name, template: app.template, status, created_at, op_id };
}
