import type { KeyObject } from "node:crypto";
import { toIso } from "../../lib/clock.ts";
import { isOlderVersion } from "../../lib/version-order.ts";
import { applyAction, wantDirectory, wantLink } from "./actions.ts";
import { appliedMigrations, databaseBytes } from "./data-files.ts";
import { installedListen, localUrl, releaseOf } from "./env-file.ts";
import type { Host } from "./host.ts";
import { layoutOf } from "./program.ts";
import {
  askRelease,
  RELEASE_LIMITS,
  type ReleaseFacts,
  releaseFile,
  releaseName,
  SPARE_BYTES,
  waitingFolder,
} from "./release.ts";
import { verifyRelease } from "./signature.ts";
import { readJournal, type UpgradeJournal, writeJournal } from "./upgrade-journal.ts";
import { SNAPSHOT_PREFIX } from "./upgrade-prune.ts";
import type { UpgradeDeps } from "./upgrade-run.ts";

/** What a release has to be besides proved. */
export interface ReleaseTerms {
  version?: string;
  /** Going back has to be meant: what hands releases out could offer an old one for a new one. */
  allowOlder?: boolean;
  /** Id of the service's request for it: then the service may change the file at any moment. */
  request?: string;
}

/**
 * Copies a release file in, checks the copy (signature, that it runs here, that it understands the data) and writes the
 * journal. Nothing of the running system changes. `key` is null only for a file that is trusted already because this
 * very process runs from it. Returns null when that release runs already; throws with the reason when it is refused.
 */
export async function stageUpgrade(
  deps: UpgradeDeps,
  file: string,
  key: KeyObject | null,
  wish: ReleaseTerms = {},
): Promise<UpgradeJournal | null> {
  const { host, spec, clock } = deps;
  const layout = layoutOf(spec);
  const from = releaseOf(host, layout.current);
  if (from === null) throw new Error(`${spec.name} is not installed here; run: ${spec.name} install`);
  if (readJournal(host, layout)) throw new Error(`an upgrade is under way; see: journalctl -u ${layout.upgradeUnit}`);
  const incoming = waitingFolder(spec, wish.request === undefined ? "incoming" : "asked");
  try {
    const size = host.stat(file)?.size;
    if (size === undefined) throw new Error(`there is no file ${file}`);
    assertRoom(deps, size);
    for (const action of wantDirectory(host, incoming, 0o700)) await applyAction(host, action);
    const copy = `${incoming}/${spec.name}`;
    if (wish.request === undefined) host.copy(file, copy, 0o755);
    else copyUntrusted(host, file, copy);
    const sha256 = (await host.sha256(copy)) ?? "";
    const proof = wish.request === undefined ? file : copy;
    const said = key ? verifyRelease(host, spec.name, proof, sha256, key) : null;
    const facts = await askRelease(host, spec, copy);
    if (said && said.version !== facts.version)
      throw new Error(`the file calls itself ${facts.version}, its maker ${said.version}; nothing was changed`);
    const running = await installedVersion(deps, from);
    assertWanted(wish, facts, running);
    const release = await releaseName(host, spec, facts.version, sha256);
    if (release === from) return null;
    assertSchema(deps, facts);
    if (readJournal(host, layout)) throw new Error("another upgrade has begun meanwhile");

    for (const action of wantDirectory(host, `${layout.releases}/${release}`, 0o755)) await applyAction(host, action);
    host.move(copy, releaseFile(spec, release));
    for (const action of wantDirectory(host, layout.upgradeDir, 0o700)) await applyAction(host, action);
    // A crash at the very end of the last upgrade may have left it one release behind.
    for (const action of wantLink(host, layout.knownGood, `releases/${from}`)) await applyAction(host, action);
    const started_at = toIso(clock.now());
    const entry: UpgradeJournal = {
      id: started_at,
      phase: "staged",
      attempts: 0,
      from: { release: from, version: running },
      to: { release, version: facts.version },
      files: facts.files,
      added: facts.files.map(({ path }) => path).filter((path) => host.stat(path) === null),
      snapshot: `${layout.snapshots}/${SNAPSHOT_PREFIX}${started_at.replaceAll(":", "-")}`,
      url: localUrl(installedListen(host, spec)),
      started_at,
      reason: null,
      request: wish.request ?? null,
    };
    writeJournal(host, layout, entry);
    return entry;
  } finally {
    host.removeTree(incoming);
  }
}

/** The program with its proof: only what is in our own folder is looked at from here on. */
function copyUntrusted(host: Host, file: string, copy: string): void {
  const sums = (path: string) => `${path.slice(0, path.lastIndexOf("/"))}/SHA256SUMS`;
  host.copyPlain(file, copy, 0o755, RELEASE_LIMITS.program);
  for (const suffix of ["", ".sig"])
    host.copyPlain(`${sums(file)}${suffix}`, `${sums(copy)}${suffix}`, 0o600, RELEASE_LIMITS.sums);
}

function assertWanted({ version, allowOlder = false }: ReleaseTerms, facts: ReleaseFacts, running: string): void {
  if (version !== undefined && facts.version !== version)
    throw new Error(`the file is version ${facts.version}, not ${version}; nothing was changed`);
  if (!allowOlder && isOlderVersion(facts.version, running)) throw new Error(describeOlder(facts.version, running));
}

/** Throws when this program is older than the installed release and that is not meant. */
export async function assertNotOlder(deps: UpgradeDeps, installed: string, allowOlder: boolean): Promise<void> {
  const running = await installedVersion(deps, installed);
  if (!allowOlder && isOlderVersion(deps.spec.version, running))
    throw new Error(describeOlder(deps.spec.version, running));
}

/** What is said when an older release is asked for without saying that this is meant. */
export function describeOlder(version: string, running: string): string {
  return `${version} is older than ${running}, which runs; nothing was changed. Going back has to be asked for (--allow-older; by the panel: allow_older)`;
}

/** The version that is installed: this very process may be another one. A program too broken to tell is named by its folder. */
async function installedVersion({ host, spec }: UpgradeDeps, release: string): Promise<string> {
  const { code, stdout } = await host.run([host.real(releaseFile(spec, release)), "version"], 20_000);
  return code === 0 ? stdout.trim() : release;
}

function assertRoom({ host, spec }: UpgradeDeps, programBytes: number): void {
  const layout = layoutOf(spec);
  const dataNeeds = databaseBytes(host, spec) * 2 + SPARE_BYTES;
  const isShort =
    host.freeBytes(layout.releases) < programBytes + SPARE_BYTES || host.freeBytes(layout.dataDir) < dataNeeds;
  if (isShort) throw new Error(`there is not enough free disk space below ${layout.base} or ${layout.dataDir}`);
}

function assertSchema({ host, spec }: UpgradeDeps, facts: ReleaseFacts): void {
  const known = new Set(facts.migrations);
  const foreign = appliedMigrations(host, spec).filter((migration) => !known.has(migration));
  if (foreign.length === 0) return;
  throw new Error(
    `version ${facts.version} does not understand the data of this host (it lacks ${foreign.join(", ")}); ` +
      `going back needs a snapshot from before, see ${layoutOf(spec).snapshots}`,
  );
}
