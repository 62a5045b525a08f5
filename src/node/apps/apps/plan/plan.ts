import type { LoadedTemplate, Manifest } from "../../templates/index.ts";
import { lanAddress } from "../blueprint/blueprint.ts";
import { resolveInputs } from "../blueprint/inputs.ts";
import type { AppConfig, InstallPlan, PlanInput, Reach } from "../contract.ts";
import type { Own } from "../needs.ts";
import { findApp, findAppByName } from "../store.ts";
import { presentTrash } from "../trash.ts";
import { listTrashOfTemplate, type TrashRow } from "../trash-store.ts";
import {
  check,
  checkArch,
  checkDisk,
  checkImages,
  checkLimit,
  checkMemory,
  checkPermissions,
  checkRule,
  checkRuntime,
} from "./checks.ts";
import { assertAppName, assertConfigFits, projectOf, suggestName } from "./conditions.ts";
import { wantedPorts } from "./find-ports.ts";
import { asPermission, findPathDangers } from "./host-paths.ts";
import { findKeptData } from "./kept-data.ts";
import { checkPorts, checkReach } from "./port-checks.ts";
import { type PlacedPort, placePorts } from "./ports.ts";
import { portName, resolveReach, type Visitor } from "./reach.ts";
import { takenPorts } from "./taken-ports.ts";

function checkName(own: Pick<Own, "db">, name: string, kept: TrashRow | null) {
  const usual = checkRule("name", "Name", `${name} is free.`, () => assertAppName(name));
  if (usual.status !== "ok") return usual;
  if (findAppByName(own.db, name)) {
    const next_step = `Choose another one: ${suggestName(own, name)} is free.`;
    return check("name", "fail", "Name", `The name ${name} is taken.`, { next_step });
  }
  if (!kept) return usual;
  const detail = `Data of an earlier ${kept.name} is kept until ${kept.purge_at.slice(0, 10)} and will be used again.`;
  return check("name", "warn", "Name", detail, { next_step: "Begin anew if you do not want that." });
}

/** The answers given, or made-up ones where they are not usable yet: the plan is asked for while people type. */
function provisionalAnswers({ manifest }: LoadedTemplate, given: NonNullable<AppConfig["inputs"]>) {
  return Object.fromEntries(
    manifest.inputs.map(({ key, default: preset }) => [key, String(given[key] ?? preset ?? "sample")]),
  );
}

/** What the template's Compose file would be with these choices. */
export const readProject = (template: LoadedTemplate, ports: readonly PlacedPort[], config: AppConfig) =>
  projectOf(template, provisionalAnswers(template, config.inputs ?? {}), ports);

/** Who may reach the first page; an app that publishes none is reached by nobody. */
const mainReach = ({ main }: Manifest, reach: Record<string, Reach>): Reach =>
  reach[portName({ service: main.service, container: main.port })] ?? "loopback";

/** Seconds that an install may take: what is known of the downloads' size, at a modest 5 MB/s, and the start. */
function estimateSeconds({ manifest }: LoadedTemplate, areImagesHere: boolean): number {
  const download = areImagesHere ? 0 : Math.round(Math.min(manifest.needs.disk_mb, 2000) / 2 / 5);
  return download + 10;
}

/**
 * Everything worth knowing before an install, without changing anything. Throws `template_not_found`,
 * `invalid_request`, `app_data_not_found`.
 */
export async function planInstall(own: Own, input: PlanInput, visitor: Visitor): Promise<InstallPlan> {
  const template = await own.templates.load(input.template);
  const { manifest } = template;
  const { config = {} } = input;
  const wished = input.restore ? findKeptData(own, manifest.name, "", input.restore)?.name : undefined;
  const usual = wished ?? manifest.name;
  const name = input.name ?? (findAppByName(own.db, usual) ? suggestName(own, usual) : usual);
  const kept = findKeptData(own, manifest.name, name, input.restore);
  assertConfigFits(own, manifest, config);
  const wanted = wantedPorts(own, manifest, config, visitor);
  const taken = await takenPorts(own, null);
  const ports = placePorts(wanted, taken, lanAddress());
  const project = readProject(template, ports, config);
  const images = await checkImages(own, project);
  const dangers = await findPathDangers(own, project, kept?.app_id ?? null);
  const checks = [
    checkRuntime(own, template),
    checkName(own, name, kept),
    checkLimit(own),
    checkArch(own, template),
    checkMemory(own, template),
    await checkDisk(own, template),
    checkPorts(manifest, wanted, ports, taken),
    checkReach(manifest, ports, visitor),
    images,
    checkPermissions(template, config, dangers),
    checkRule("inputs", "Settings", "All are usable.", () => {
      resolveInputs(manifest.inputs, config.inputs ?? {});
    }),
  ];
  return {
    ok: checks.every(({ status }) => status !== "fail"),
    name,
    template: manifest.name,
    display_name: manifest.display_name,
    version: manifest.version,
    checks,
    ports,
    permissions: [...manifest.permissions, ...dangers.map(asPermission)],
    inputs: manifest.inputs.map((item) => ({ ...item, default: item.default ?? null })),
    publish: mainReach(manifest, resolveReach(own, manifest, config, visitor)),
    kept: listTrashOfTemplate(own.db, manifest.name)
      .filter(({ app_id }) => !findApp(own.db, app_id))
      .map(presentTrash),
    restore: kept?.app_id ?? null,
    estimate_seconds: estimateSeconds(template, images.detail.includes("already")),
  };
}
