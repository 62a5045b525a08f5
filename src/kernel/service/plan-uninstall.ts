import { minutes } from "../../lib/duration.ts";
import { withoutAccount } from "./account.ts";
import { type Action, wantGone } from "./actions.ts";
import type { Host } from "./host.ts";
import { layoutOf, onDemandLayoutOf, type ProgramSpec } from "./program.ts";
import { releaseFile, waitingFolders } from "./release.ts";
import { isUnitEnabled, wantsLink } from "./systemd.ts";
import { listReleases } from "./upgrade-prune.ts";

/** The role that installs packages may take its time to end its work before systemd ends it; see its TimeoutStopSec. */
const STOP_MS = minutes(36);

/**
 * Everything that install put there, in the order in which it has to go; empty when nothing is left. With `deleteData`
 * the data goes too, and `apps`, the removals of what the apps left in the container engine.
 */
export function planUninstall(host: Host, spec: ProgramSpec, deleteData: boolean, apps: readonly Action[]): Action[] {
  const layout = layoutOf(spec);
  const { watchUnit, upgradeUnit, serviceUnit, accountUnit } = layout;
  const role = onDemandLayoutOf(spec);
  const roleUnits = role === null ? [] : [role.socketUnit, role.serviceUnit];
  const units = [watchUnit, upgradeUnit, serviceUnit, ...roleUnits, accountUnit];
  const unitFiles = units.map((unit) => `${layout.unitDir}/${unit}`).filter((path) => host.stat(path) !== null);
  const isThere = units.filter((unit) => unitFiles.includes(`${layout.unitDir}/${unit}`));
  const enabled = isThere.filter((unit) => isUnitEnabled(host, unit));
  const stop: Action = {
    kind: "run",
    argv: ["systemctl", "stop", ...isThere],
    touches: [`${layout.dataDir}/`],
    timeoutMs: STOP_MS,
  };
  const disable: Action = {
    kind: "run",
    argv: ["systemctl", "disable", "--quiet", ...enabled],
    touches: enabled.map(wantsLink),
  };
  const reload: Action = { kind: "run", argv: ["systemctl", "daemon-reload"], touches: [] };

  const admin = spec.adminCommand === null || isSharedWithOther(host, spec) ? [] : ownedAdmin(host, spec);
  // Records of upgrades mean nothing without the releases that they name.
  const data = deleteData
    ? [
        ...wantGone(host, layout.config),
        ...wantGone(host, layout.dataDir),
        ...(role === null ? [] : wantGone(host, role.logDir)),
        ...withoutAccount(host, spec),
      ]
    : [...wantGone(host, layout.upgradeDir), ...wantGone(host, layout.updateDir)];
  const removals = [
    ...unitFiles.flatMap((path) => wantGone(host, path)),
    ...(host.target(layout.command)?.startsWith(layout.base) ? wantGone(host, layout.command) : []),
    ...admin,
    ...wantGone(host, layout.current),
    ...wantGone(host, layout.knownGood),
    ...listReleases(host, spec).flatMap((release) => wantGone(host, releaseFile(spec, release))),
    ...waitingFolders(spec).flatMap((folder) => wantGone(host, folder)),
    ...wantGone(host, layout.runDir),
    ...data,
  ];
  const gone = new Set(removals.flatMap((action) => ("path" in action ? [action.path] : [])));
  return [
    ...(isThere.length > 0 ? [stop] : []),
    ...(enabled.length > 0 ? [disable] : []),
    ...(deleteData ? apps : []),
    ...removals,
    ...(unitFiles.length > 0 ? [reload] : []),
    ...emptied(host, [...releaseFolders(host, spec), layout.releases, layout.base, layout.configDir], gone),
  ];
}

/** Folders that hold nothing but what goes; each is judged with the ones before it already gone. */
function emptied(host: Host, folders: readonly string[], gone: Set<string>): Action[] {
  const actions: Action[] = [];
  for (const path of folders) {
    if (host.stat(path)?.kind !== "directory") continue;
    if (!host.list(path).every((name) => gone.has(`${path}/${name}`))) continue;
    gone.add(path);
    actions.push({ kind: "remove", path });
  }
  return actions;
}

function releaseFolders(host: Host, spec: ProgramSpec): string[] {
  const { releases } = layoutOf(spec);
  return listReleases(host, spec).map((release) => `${releases}/${release}`);
}

/** True when the other program of the family is installed and uses the admin command too. */
function isSharedWithOther(host: Host, spec: ProgramSpec): boolean {
  const { base, current } = layoutOf(spec);
  return host.list(base).some((name) => name.startsWith("current-") && `${base}/${name}` !== current);
}

/** The admin command, unless somebody put another program under that name. */
function ownedAdmin(host: Host, spec: ProgramSpec): Action[] {
  const { admin } = layoutOf(spec);
  const isOurs = host.stat(admin)?.kind === "file" && (host.read(admin) ?? "").includes("ORRERY_");
  return isOurs ? wantGone(host, admin) : [];
}
