import { madeForAccount } from "./account.ts";
import { type Action, wantDirectory, wantFile, wantLink, withoutRepeats } from "./actions.ts";
import { newEnvFile } from "./env-file.ts";
import type { Host } from "./host.ts";
import { layoutOf, onDemandLayoutOf, type ProgramSpec } from "./program.ts";
import { filesOf, releaseFile } from "./release.ts";
import { isUnitEnabled, wantsLink } from "./systemd.ts";
import { listReleases } from "./upgrade-prune.ts";

/** What the installer has decided. */
export interface InstallChoice {
  /** The program file that is running. */
  self: string;
  /** Folder name of its release. */
  release: string;
  /** True when that release has this very file already. */
  isCopied: boolean;
  /** Written on the first install only, for example `0.0.0.0:8420`. */
  listen: string;
  /** What this process was told; the first install keeps where releases come from. */
  env: Record<string, string>;
  /** Text of a new claim token; null when none is needed or one is there. */
  claimToken: string | null;
  isActive: boolean;
}

/** Everything that has to change on the host, in order; empty when all is in place. */
export function planInstall(host: Host, spec: ProgramSpec, choice: InstallChoice): Action[] {
  const layout = layoutOf(spec);
  const role = onDemandLayoutOf(spec);
  const { release } = choice;
  const unitFiles = filesOf(spec).filter(({ path }) => path.startsWith(layout.unitDir));
  const otherFiles = filesOf(spec).filter(({ path }) => !path.startsWith(layout.unitDir));
  const binFolder = layout.command.slice(0, layout.command.lastIndexOf("/"));

  const program: Action[] = choice.isCopied
    ? []
    : [{ kind: "copy", path: releaseFile(spec, release), mode: 0o755, from: choice.self }];
  const env: Action[] =
    host.stat(layout.config) === null
      ? [{ kind: "file", path: layout.config, mode: 0o640, content: newEnvFile(spec, choice.listen, choice.env) }]
      : [];
  const claim: Action[] =
    spec.claim === null || choice.claimToken === null
      ? []
      : [
          {
            kind: "file",
            path: `${layout.dataDir}/${spec.claim.file}`,
            mode: 0o600,
            content: `${choice.claimToken}\n`,
            secret: true,
          },
        ];
  const units = unitFiles.flatMap(({ path, mode, content }) => wantFile(host, path, mode, content));

  return withoutRepeats([
    ...(host.stat(layout.base) ? [] : wantDirectory(host, layout.base, 0o755)),
    ...wantDirectory(host, layout.releases, 0o755),
    ...wantDirectory(host, `${layout.releases}/${release}`, 0o755),
    ...program,
    ...wantLink(host, layout.knownGood, `releases/${release}`),
    ...wantLink(host, layout.current, `releases/${release}`),
    ...(host.stat(binFolder) ? [] : wantDirectory(host, binFolder, 0o755)),
    ...wantLink(host, layout.command, `${layout.current}/${spec.name}`),
    ...otherFiles.flatMap(({ path, mode, content }) => wantFile(host, path, mode, content)),
    ...(host.stat(layout.configDir) ? [] : wantDirectory(host, layout.configDir, 0o755)),
    ...env,
    ...wantDirectory(host, layout.dataDir, 0o700),
    // Before the service starts: what is not there cannot be closed to it. Its parent is the line above.
    ...wantDirectory(host, layout.upgradeDir, 0o700).slice(-1),
    ...(role === null ? [] : wantDirectory(host, role.logDir, 0o700)),
    ...claim,
    ...units,
    ...planUnits(host, spec, units.length > 0, choice.isActive),
  ]);
}

/** What an upgrade of the installed release to this program changes when it goes well. */
export function planReplace(host: Host, spec: ProgramSpec, self: string, release: string): Action[] {
  const layout = layoutOf(spec);
  const file = releaseFile(spec, release);
  const copy: Action = { kind: "copy", path: file, mode: 0o755, from: self };
  const older = listReleases(host, spec).filter((name) => `releases/${name}` !== host.target(layout.current));
  return [
    ...wantDirectory(host, layout.upgradeDir, 0o700),
    ...wantDirectory(host, `${layout.releases}/${release}`, 0o755),
    ...(host.stat(file) ? [] : [copy]),
    { kind: "run", argv: ["systemctl", "stop", layout.serviceUnit], touches: [`${layout.dataDir}/`] },
    ...filesOf(spec).flatMap(({ path, mode, content }) => wantFile(host, path, mode, content)),
    { kind: "run", argv: ["systemctl", "daemon-reload"], touches: [] },
    ...wantLink(host, layout.current, `releases/${release}`),
    { kind: "run", argv: ["systemctl", "start", layout.serviceUnit], touches: [`${layout.dataDir}/`] },
    ...wantLink(host, layout.knownGood, `releases/${release}`),
    ...older
      .filter((name) => name !== release)
      .map((name): Action => ({ kind: "remove", path: releaseFile(spec, name) })),
  ];
}

function planUnits(host: Host, spec: ProgramSpec, haveChanged: boolean, isActive: boolean): Action[] {
  const layout = layoutOf(spec);
  const disabled = [layout.serviceUnit, layout.upgradeUnit].filter((unit) => !isUnitEnabled(host, unit));
  const run = (argv: string[], touches: string[]): Action => ({ kind: "run", argv: ["systemctl", ...argv], touches });
  const needsStart = !isActive || haveChanged;
  const touches = [`${layout.dataDir}/`, ...madeForAccount(host, spec)];
  return [
    ...(haveChanged ? [run(["daemon-reload"], [])] : []),
    ...(disabled.length > 0 ? [run(["enable", "--quiet", ...disabled], disabled.map(wantsLink))] : []),
    ...(needsStart ? [run([isActive ? "restart" : "start", layout.serviceUnit], touches)] : []),
  ];
}
