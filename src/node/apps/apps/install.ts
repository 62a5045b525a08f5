import { kernelFail } from "../../../kernel/http/errors.ts";
import { toIso } from "../../../lib/clock.ts";
import { appLimitOf, planForApps } from "../../../shared/plans/index.ts";
import type { NodeContext } from "../../context.ts";
import type { Asker } from "../../platform/operations/index.ts";
import { ComposeError } from "../compose/index.ts";
import { catalogueOf, type LoadedTemplate } from "../templates/index.ts";
import { composeVariables } from "./blueprint.ts";
import { assertConfigFits } from "./config-fits.ts";
import { type AppConfig, fail, type InstallInput, type InstallResult } from "./contract.ts";
import { findPorts } from "./ensure-ports.ts";
import { resolveInputs } from "./inputs.ts";
import { launchWork } from "./launch.ts";
import { touchList } from "./move.ts";
import type { PlacedPort } from "./ports.ts";
import { ensureSecrets, makeSecret } from "./secrets.ts";
import { startOperation } from "./start-operation.ts";
import { type AppRow, countApps, findAppByName, insertApp, replacePorts, updateApp } from "./store.ts";
import { findReusableTrash } from "./trash-store.ts";

const NAME = /^[a-z0-9]([a-z0-9-]{0,38}[a-z0-9])?$/;

/** Throws `invalid_name` for a name that cannot be part of a host or container name. */
export function assertAppName(name: string): void {
  if (NAME.test(name)) return;
  const reason = "must be 1 to 40 lowercase letters, digits and dashes, with no dash at either end";
  throw kernelFail("invalid_name", { field: "name", reason });
}

/** The first of `name-2`, `name-3` … that no app has. */
export function suggestName({ db }: Pick<NodeContext, "db">, name: string): string {
  for (let number = 2; ; number++) {
    const suffix = `-${number}`;
    const candidate = `${name.slice(0, 40 - suffix.length)}${suffix}`;
    if (!findAppByName(db, candidate)) return candidate;
  }
}

/** Throws `app_name_taken` with a name that is free. */
function assertNameFree(ctx: Pick<NodeContext, "db">, name: string): void {
  if (findAppByName(ctx.db, name)) throw fail("app_name_taken", { name, suggestion: suggestName(ctx, name) });
}

/** Throws `app_limit_reached` when the plan allows no further app. */
export function assertBelowLimit({ db, plan }: Pick<NodeContext, "db" | "plan">): void {
  const { installed } = countApps(db);
  const limit = appLimitOf(plan());
  if (installed < limit) return;
  throw fail("app_limit_reached", { current_plan: plan(), required_plan: planForApps(installed + 1), limit });
}

/** Permissions that the template needs and the admin has not confirmed. */
export function unconfirmed({ manifest }: LoadedTemplate, config: AppConfig): string[] {
  const confirmed = new Set(config.permissions ?? []);
  return manifest.permissions.map(({ id }) => id).filter((id) => !confirmed.has(id));
}

/** Reads the Compose file with real answers and made-up secrets, so that nothing unreadable is ever begun. */
function assertReadable(template: LoadedTemplate, answers: Record<string, string>, ports: readonly PlacedPort[]): void {
  const { manifest } = template;
  const secrets = Object.fromEntries(manifest.secrets.map((secret) => [secret.key, makeSecret(secret)]));
  try {
    template.project(composeVariables(manifest, ports, answers, secrets));
  } catch (error) {
    if (!(error instanceof ComposeError)) throw error;
    throw kernelFail("invalid_request", { field: "template", reason: error.message });
  }
}

/**
 * Begins to install an app and returns at once; the operation tells the rest. Data of an earlier app of that name and
 * template is taken up again. Throws `template_not_found`, `invalid_request`, `app_name_taken`, `app_limit_reached`,
 * `runtime_unavailable`.
 */
export async function installApp(ctx: NodeContext, by: Asker, input: InstallInput): Promise<InstallResult> {
  const { name, config = {} } = input;
  const template = await catalogueOf(ctx).load(input.template);
  const { manifest, composeText } = template;
  assertAppName(name);
  assertConfigFits(manifest, config);
  const answers = resolveInputs(manifest.inputs, config.inputs ?? {});
  const missing = unconfirmed(template, config);
  if (missing.length > 0)
    throw kernelFail("invalid_request", { field: "config.permissions", reason: `must confirm ${missing.join(", ")}` });
  assertNameFree(ctx, name);
  assertBelowLimit(ctx);
  ctx.runtime.requireEngine();
  const ports = await findPorts(ctx, manifest, config, null);
  assertReadable(template, answers, ports);

  const app = ctx.db.tx(() => {
    // Asked again: somebody else may have come first while the ports were looked for.
    assertNameFree(ctx, name);
    assertBelowLimit(ctx);
    const row: AppRow = {
      id: findReusableTrash(ctx.db, name, manifest.name)?.app_id ?? ctx.ids.next("app"),
      name,
      template: manifest.name,
      version: manifest.version,
      status: "installing",
      cause: null,
      next_step: null,
      created_at: toIso(ctx.clock.now()),
      installed_at: null,
      started_at: null,
      work: "install",
      op_id: null,
      delete_data: 0,
      config: JSON.stringify(config),
      manifest: JSON.stringify(manifest),
      compose: composeText,
    };
    insertApp(ctx.db, row);
    replacePorts(ctx.db, row.id, ports);
    ensureSecrets(ctx, row.id, manifest.secrets);
    const op = startOperation(ctx, row, "install", by);
    updateApp(ctx.db, { ...row, op_id: op.id });
    touchList(ctx);
    ctx.bus.emit("app.status_changed", { id: row.id, status: row.status, cause: null });
    return { ...row, op_id: op.id };
  });
  launchWork(ctx, app.id);
  const { id, status, created_at, op_id } = app;
  return { id, name, template: app.template, status, created_at, op_id };
}
