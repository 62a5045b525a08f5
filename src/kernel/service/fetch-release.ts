import type { KeyObject } from "node:crypto";
import { minutes } from "../../lib/duration.ts";
import { OutgoingError } from "../outgoing/index.ts";
import { type FileDeps, fetchLarge, fetchSmall, NoSpace } from "./fetch-file.ts";
import type { ProgramSpec } from "./program.ts";
import { RELEASE_LIMITS } from "./release.ts";
import { assetName, RELEASE_ENV } from "./release-base.ts";
import { readReleaseList } from "./release-list.ts";
import { isSigned } from "./signature.ts";

/** Which release is wanted, and from where. */
export interface ReleaseWish {
  /** Has one folder for each version. */
  base: string;
  version: string;
  /** Made anew; then holds the program under its own name, SHA256SUMS and SHA256SUMS.sig. */
  folder: string;
}

export interface FetchDeps extends FileDeps {
  spec: Pick<ProgramSpec, "name">;
  key: KeyObject;
}

/** The release cannot be had although nothing is wrong with it: another try may go well. */
export class FetchFailed extends Error {}

const VERSION = /^[0-9A-Za-z][0-9A-Za-z.+-]{0,63}$/;
const PATIENCE_MS = minutes(30);

/**
 * Fetches the release for this machine: list of sums and signature first, the program only when those are the maker's. What
 * was cut goes on where it stopped. Nothing stays in `folder` unless all of it is proved; a crash may leave a part there. Throws
 * FetchFailed when it could not be had, another Error when it is not to be used, each with the reason.
 */
export async function fetchRelease(deps: FetchDeps, wish: ReleaseWish): Promise<void> {
  const { host, clock, spec } = deps;
  const { version, folder } = wish;
  if (!VERSION.test(version)) throw new Error(`${version} is not a version`);
  const asset = assetName(host, spec);
  if (asset === null) throw new Error(`there is no build of ${spec.name} for this kind of processor`);
  host.removeTree(folder);
  host.makeDirectory(folder, 0o700);
  const stop = new AbortController();
  const cancel = clock.after(PATIENCE_MS, () => stop.abort());
  const limited = { ...deps, signal: AbortSignal.any([deps.signal, stop.signal]) };
  try {
    await fetchInto(limited, wish, asset);
  } catch (error) {
    host.removeTree(folder);
    if (!stop.signal.aborted) throw describeFailure(error, wish);
    throw new FetchFailed(`${version} was not fetched within ${PATIENCE_MS / 60_000} minutes; nothing was changed`);
  } finally {
    cancel();
  }
}

async function fetchInto(deps: FetchDeps, { base, version, folder }: ReleaseWish, asset: string) {
  const { host, key } = deps;
  const at = `${base}/${encodeURIComponent(version)}`;
  const sums = await fetchSmall(deps, `${at}/SHA256SUMS`, RELEASE_LIMITS.sums);
  const signature = await fetchSmall(deps, `${at}/SHA256SUMS.sig`, RELEASE_LIMITS.sums);
  if (!isSigned(sums, signature, key))
    throw new Error(`the signature of ${at}/SHA256SUMS is not from the maker of this program; nothing was changed`);
  const wanted = readReleaseList(sums).find(
    ({ name, program, target }) => name === asset && `${program}-${target}` === asset && program === deps.spec.name,
  );
  if (wanted === undefined) throw new Error(`release ${version} has no ${asset}, which this machine needs`);
  if (wanted.version !== version)
    throw new Error(`${at} holds release ${wanted.version}, not ${version}; nothing was changed`);
  const file = await host.create(`${folder}/${deps.spec.name}`, 0o700);
  try {
    const sha256 = await fetchLarge(deps, `${at}/${asset}`, file, version, folder);
    if (sha256 !== wanted.sha256)
      throw new Error(
        `${at}/${asset} is not the file that the maker released: its SHA-256 differs; nothing was changed`,
      );
  } catch (error) {
    await file.leave();
    throw error;
  }
  await file.finish();
  for (const [name, bytes] of [
    ["SHA256SUMS", sums],
    ["SHA256SUMS.sig", signature],
  ] as const) {
    const small = await host.create(`${folder}/${name}`, 0o600);
    await small.append(bytes);
    await small.finish();
  }
}

function describeFailure(error: unknown, { base, folder }: ReleaseWish): unknown {
  const code = error instanceof Error && "code" in error ? error.code : null;
  if (error instanceof NoSpace || code === "ENOSPC" || code === "EDQUOT")
    return new Error(`there is not enough free disk space for the release below ${folder}; nothing was changed`);
  if (error instanceof OutgoingError)
    return new FetchFailed(
      `the release could not be fetched; nothing was changed. ${error.message} Is it below ${base} (${RELEASE_ENV.base})?`,
    );
  return error;
}
