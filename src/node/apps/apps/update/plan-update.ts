import type { LoadedTemplate } from "../../templates/index.ts";
import { type Blueprint, configOf, lanAddress, manifestOf, readBlueprint } from "../blueprint/blueprint.ts";
import { resolveInputs } from "../blueprint/inputs.ts";
import { volumeName } from "../blueprint/names.ts";
import { mergeConfig } from "../change/merge-config.ts";
import { type AppConfig, type AppUpdates, fail, type PlanCheck } from "../contract.ts";
import { listDumps } from "../dumps/dump-store.ts";
import { databasesOf } from "../dumps/make-dumps.ts";
import type { Own } from "../needs.ts";
import { check, checkArch, checkDisk, checkPermissions, checkRule, checkRuntime } from "../plan/checks.ts";
import { wantedPorts } from "../plan/find-ports.ts";
import { asPermission, findPathDangers, isPathDanger, openDangers, planOpenPaths } from "../plan/host-paths.ts";
import { readProject } from "../plan/plan.ts";
import { checkPorts } from "../plan/port-checks.ts";
import { placePorts } from "../plan/ports.ts";
import { takenPorts } from "../plan/taken-ports.ts";
import { type AppRow, listPorts } from "../store.ts";
import { copiedVolumes } from "./copy-data.ts";
import { findPath } from "./find-path.ts";
import { choiceFor, findNewer, hasFailed } from "./known-updates.ts";
import { currentSide, drawSide, fitConfig, keepClosed, pinForward } from "./side.ts";
import { findUpdate, listKept, type Side } from "./update-store.ts";

const MIB = 1_048_576;

/** The versions on the way to the newest one; null when there is none, or no way. */
export async function findWay(
  own: Own,
  app: AppRow,
): Promise<{ newest: LoadedTemplate; path: LoadedTemplate[] | null } | null> {
  const newest = await findNewer(own, app);
  if (!newest) return null;
  const known = new Map<string, LoadedTemplate>();
  const find = async (version: string) => {
    const template = await own.templates.load(app.template, version).catch(() => null);
    if (template) known.set(version, template);
    return template?.manifest ?? null;
  };
  known.set(newest.manifest.version, newest);
  const path = await findPath(app.version, newest.manifest, find);
  return { newest, path: path?.flatMap(({ version }) => known.get(version) ?? []) ?? null };
}

/** What the app would be with that version: its choices as far as they are known there, its ports where they are. */
export async function drawNextSide(
  own: Own,
  app: AppRow,
  { manifest, composeText }: LoadedTemplate,
  permissions: readonly string[],
  generation: number,
): Promise<Side> {
  const stored = configOf(app);
  const chosen = { ...stored, permissions: [...(stored.permissions ?? []), ...permissions] };
  const config = fitConfig(manifest, chosen);
  const pinned = pinForward(manifest, chosen, listPorts(own.db, app.id));
  const ports = placePorts(wantedPorts(own, manifest, pinned, null), await takenPorts(own, app.id), lanAddress());
  return {
    version: manifest.version,
    config: JSON.stringify(mergeConfig(config, { reach: pinned.reach ?? {} })),
    manifest: JSON.stringify(manifest),
    compose: composeText,
    generation,
    ports,
  };
}

/** What is copied before an update, with its size as far as it is known. */
function listBackedUp(own: Own, app: AppRow): AppUpdates["backed_up"] {
  const blueprint = readBlueprint(own, app);
  const copied = new Set(copiedVolumes(blueprint));
  const sizes = own.state.disk.latest()?.volumes;
  return blueprint.project.volumes.map(({ name }) => ({
    name,
    role: blueprint.manifest.volumes.find((volume) => volume.name === name)?.role ?? "data",
    size_bytes: sizes?.get(volumeName(app, name)) ?? null,
    is_copied: copied.has(name),
  }));
}

/** What the paths that the app would have with a version make of others' containers, or theirs of the app. */
const findNewDangers = (own: Own, app: AppRow, newest: LoadedTemplate, config: AppConfig) =>
  findPathDangers(own, readProject(newest, listPorts(own.db, app.id), config), app.id);

/** Everything that has to hold before an update begins. Registries are not asked: an image that cannot be had is found out while the app still runs. */
export async function checkUpdate(
  own: Own,
  app: AppRow,
  { newest, path }: NonNullable<Awaited<ReturnType<typeof findWay>>>,
  permissions: readonly string[],
): Promise<PlanCheck[]> {
  const { manifest } = newest;
  const stored = configOf(app);
  const config = fitConfig(manifest, { ...stored, permissions: [...(stored.permissions ?? []), ...permissions] });
  const copyBytes = listBackedUp(own, app).reduce((sum, one) => sum + (one.is_copied ? (one.size_bytes ?? 0) : 0), 0);
  const needs = { ...manifest.needs, disk_mb: manifest.needs.disk_mb + Math.ceil(copyBytes / MIB) };
  const passed = path?.slice(0, -1).map(({ manifest: { version } }) => version) ?? [];
  const detail = `${app.version} can go ${passed.length === 0 ? "straight" : `by ${passed.join(" and ")}`} to ${manifest.version}.`;
  const stopped = check("path", "fail", "Path", `There is no way from ${app.version} to ${manifest.version}.`, {
    next_step: "Install the new version beside it and move your data.",
  });
  const confirm = checkPermissions(newest, config, await findNewDangers(own, app, newest, config));
  const pinned = pinForward(manifest, config, listPorts(own.db, app.id));
  const wanted = wantedPorts(own, manifest, pinned, null);
  const taken = await takenPorts(own, app.id);
  const ports = checkPorts(manifest, wanted, placePorts(wanted, taken, lanAddress()), taken);
  return [
    path ? check("path", "ok", "Path", detail) : stopped,
    checkRuntime(own, newest),
    checkArch(own, newest),
    await checkDisk(own, { manifest: { needs } }),
    ...(ports.status === "fail" ? [ports] : []),
    confirm.status === "warn" ? { ...confirm, status: "fail" as const } : confirm,
    checkRule("inputs", "Settings", "All are usable.", () => {
      resolveInputs(manifest.inputs, config.inputs ?? {});
    }),
  ];
}

/** How the latest update ended, and what an app can be updated to or go back to. Throws `catalogue_untrusted`. */
export async function presentUpdates(own: Own, app: AppRow): Promise<AppUpdates> {
  const way = await findWay(own, app);
  const manifest = manifestOf(app);
  const checks = way ? await checkUpdate(own, app, way, []) : [];
  const config = configOf(app);
  const dangers = way ? await findNewDangers(own, app, way.newest, fitConfig(way.newest.manifest, config)) : [];
  const back = listKept(own.db, app.id).find(({ can_return }) => can_return) ?? null;
  const last = findUpdate(own.db, app.id);
  const choice = way && choiceFor(own, app.id, way.newest);
  return {
    version: app.version,
    revision: manifest.revision,
    to: way && {
      version: way.newest.manifest.version,
      revision: way.newest.manifest.revision,
      path: way.path?.map((template) => template.manifest.version) ?? [],
      breaking: (way.path ?? []).flatMap((template) => template.manifest.upgrade.breaking ?? []),
      watched_seconds: way.newest.manifest.health.stable_s,
      start_seconds: way.newest.manifest.health.start_s,
      failed_before: hasFailed(own, app.id, way.newest),
      permissions: [
        ...way.newest.manifest.permissions.filter(({ id }) => !(config.permissions ?? []).includes(id)),
        ...openDangers(dangers, config).map(asPermission),
      ],
    },
    ok: way !== null && checks.every(({ status, id }) => status !== "fail" || id === "permissions"),
    checks,
    backed_up: listBackedUp(own, app),
    dumped:
      app.status === "stopped"
        ? []
        : databasesOf(readBlueprint(own, app)).map(({ service, dumper }) => ({ service, kind: dumper })),
    choice: choice && { kind: choice.kind, due_at: choice.due_at },
    back: back && {
      version: back.side.version,
      kept_until: back.kept_until,
      to_confirm: await planOpenPaths(own, drawReturn(own, app, back.side)),
      dumps: listDumps(own.db, app.id, back.generation).map(({ name, service, dumper, size_bytes, problem }) => ({
        ...{ name, service, kind: dumper, problem },
        size_bytes: problem === null ? size_bytes : null,
      })),
    },
    last:
      last?.ended_at == null
        ? null
        : {
            kind: last.kind,
            from: last.before.version,
            to: last.hops.at(-1)?.version ?? "",
            ok: last.failure === null,
            cause: last.failure?.cause ?? null,
            next_step: last.failure?.next_step ?? null,
            down_ms: last.down_ms,
            ended_at: last.ended_at,
            op_id: last.op_id,
          },
  };
}

/** Throws `app_update_blocked` with the first thing in the way. */
export function assertPassed(name: string, checks: readonly PlanCheck[]): void {
  const failed = checks.find(({ status }) => status === "fail");
  if (failed) throw fail("app_update_blocked", { name, reason: `${failed.detail} ${failed.next_step ?? ""}`.trim() });
}

/** What an app would be on its way back to a side, with what was confirmed of its paths since then. */
export function drawReturn(own: Pick<Own, "db" | "seal">, app: AppRow, back: Side): Blueprint {
  const { config, ...drawn } = drawSide(own, app, back);
  const since = (configOf(app).permissions ?? []).filter(isPathDanger);
  return { ...drawn, config: { ...config, permissions: [...new Set([...(config.permissions ?? []), ...since])] } };
}

/** The side to go back to, no more open to the network than the app is now. Throws `app_no_way_back`. */
export function sideToReturnTo(own: Own, app: AppRow): { now: Side; back: Side } {
  const kept = listKept(own.db, app.id).find(({ can_return }) => can_return);
  if (!kept) throw fail("app_no_way_back", { name: app.name });
  const now = currentSide(own, app);
  return { now, back: keepClosed(kept.side, now.ports) };
}
