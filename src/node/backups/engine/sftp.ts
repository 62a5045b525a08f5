import { createHash } from "node:crypto";
import { isIP } from "node:net";
import type { SFTPWrapper } from "ssh2";
import { parseAddress } from "../../../kernel/outgoing/address.ts";
import { isOwnAddress } from "../../../kernel/outgoing/ranges.ts";
import { type Clock, systemClock } from "../../../lib/clock.ts";
import { minutes } from "../../../lib/duration.ts";
import { EngineFailure, tooLarge } from "./failure.ts";
import { onReachable } from "./http-client.ts";
import { assertName, byName, INCOMING, isRepositoryName } from "./names.ts";
import { PACED_BYTES, type Pace } from "./pace.ts";
import { checkCount } from "./reply-bytes.ts";
import { type Listing, MOST_FILE_BYTES, type SftpPlace, type Target } from "./target.ts";

const READY_MS = 20_000;
const KEEPALIVE_MS = 15_000;
/** A server that is there and answers nothing for so long, of all that it was asked, is as good as away. */
const SILENCE_MS = minutes(2);
const PIECE_BYTES = 256 * 1024;
/** Folders below one another that are looked into. */
const DEEPEST = 4;
/** What the protocol says for "that was all", "there is none" and "you may not". */
const END_OF_FILE = 1;
const NO_SUCH_FILE = 2;
const PERMISSION_DENIED = 3;
const FOLDER_BITS = 0o040000;
const KIND_BITS = 0o170000;

/** How people compare the key of a server, as `ssh-keygen -lf` prints it. */
export const fingerprintOf = (key: Uint8Array): string =>
  `SHA256:${createHash("sha256").update(key).digest("base64").replace(/=+$/, "")}`;

const codeOf = (error: unknown): unknown => (error instanceof Error && "code" in error ? error.code : null);
const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

function explain(error: unknown, name: string): EngineFailure {
  if (error instanceof EngineFailure) return error;
  const code = codeOf(error);
  if (code === NO_SUCH_FILE) return new EngineFailure("target_missing", `There is no ${name}.`);
  if (code === PERMISSION_DENIED) return new EngineFailure("target_refused", `The user may not do that with ${name}.`);
  if (typeof code === "number")
    return new EngineFailure("target_refused", `The server refused ${name}: ${messageOf(error)}. Is its disk full?`);
  return new EngineFailure("target_away", `The connection to the server ended: ${messageOf(error)}`);
}

interface Session {
  sftp: SFTPWrapper;
  /** Answers that came. */
  heard: number;
  end(): void;
}

/** What an SFTP server says of a file, which may be nothing. */
interface Named {
  filename: string;
  attrs: { mode?: number; size?: number };
}

const isSize = (said: unknown): said is number => Number.isSafeInteger(said) && Number(said) >= 0;

const silent = ({ host }: SftpPlace) => new EngineFailure("target_away", `${host} is there, but answers nothing.`);

/** Connects to one address. Throws `host_unknown` with the fingerprint, `target_refused` and `target_away`. */
async function connect(place: SftpPlace, address: string, clock: Pick<Clock, "after">): Promise<Session> {
  // Only nodes with such a target pay for it.
  const { Client } = await import("ssh2");
  const { promise, resolve, reject } = Promise.withResolvers<Session>();
  const client = new Client();
  let shown = "";
  client.on("ready", () => {
    client.sftp((error, sftp) => {
      if (error) reject(new EngineFailure("target_refused", "The server has no SFTP for this user."));
      else resolve({ sftp, heard: 0, end: () => client.destroy() });
    });
  });
  const cancel = clock.after(SILENCE_MS, () => {
    client.destroy();
    reject(silent(place));
  });
  client.on("error", (error) => {
    if (shown !== "" && shown !== place.host_key) {
      const words =
        place.host_key === ""
          ? `The server shows the key ${shown}. Compare it with what ssh-keygen -lf prints there, then name it (--host-key).`
          : `The server shows another key than before, ${shown}: somebody may stand between. Ask whoever runs it, then add the target anew.`;
      reject(new EngineFailure(place.host_key === "" ? "host_unknown" : "target_refused", words));
    } else if ("level" in error && error.level === "client-authentication")
      reject(new EngineFailure("target_refused", "The server does not know this user with this password or key."));
    else reject(new EngineFailure("target_away", `${place.host} did not answer: ${error.message}.`));
  });
  try {
    client.connect({
      host: address,
      port: place.port,
      username: place.username,
      ...(place.password === "" ? {} : { password: place.password }),
      ...(place.private_key === "" ? {} : { privateKey: place.private_key }),
      readyTimeout: READY_MS,
      keepaliveInterval: KEEPALIVE_MS,
      hostVerifier: (key: Buffer) => {
        shown = fingerprintOf(key);
        return shown === place.host_key;
      },
    });
  } catch (error) {
    reject(new EngineFailure("target_refused", `The private key cannot be read: ${messageOf(error)}`));
  }
  return await promise.finally(cancel);
}

/** A repository in a folder of an SFTP server, whose key is the one that was seen when the target was added. */
export function openSftp(
  place: SftpPlace,
  makeName: () => string,
  pace: Pace | null = null,
  clock: Pick<Clock, "after"> = systemClock,
): Target {
  const warnings = new Set<string>();
  const made = new Set<string>();
  let open: Promise<Session> | null = null;
  const pathOf = (name: string): string => `${place.path}${name}`;

  function session(): Promise<Session> {
    if (open) return open;
    const begun = onReachable(place.host, place.port, place.own_ports, async (address) => {
      const parsed = isIP(address) === 0 ? null : parseAddress(address);
      if (parsed && isOwnAddress(parsed))
        warnings.add("It is this same machine: what takes the machine takes its backups, too.");
      return await connect(place, address, clock);
    });
    open = begun;
    begun.then(
      ({ sftp }) => {
        sftp.on("error", () => {});
        sftp.on("close", () => {
          if (open === begun) open = null;
        });
      },
      () => {
        if (open === begun) open = null;
      },
    );
    return begun;
  }

  /** Asks one question; what the server says no to is thrown in our words. */
  async function ask<Result>(
    name: string,
    question: (sftp: SFTPWrapper, done: (error: Error | null | undefined, result?: Result) => void) => void,
  ): Promise<Result | undefined> {
    const current = await session();
    const { sftp } = current;
    const { promise, resolve, reject } = Promise.withResolvers<Result | undefined>();
    const onClose = () => reject(new Error("it was closed"));
    sftp.once("close", onClose);
    let cancel = () => {};
    // Many are asked at once, and a slow line has one answer after the other: what counts is that any comes.
    const listen = (heard: number) => {
      cancel = clock.after(SILENCE_MS, () => {
        if (current.heard !== heard) return listen(current.heard);
        reject(silent(place));
        current.end();
      });
    };
    listen(current.heard);
    try {
      question(sftp, (error, result) => {
        current.heard += 1;
        if (error) reject(error);
        else resolve(result);
      });
      return await promise;
    } catch (error) {
      throw explain(error, name);
    } finally {
      cancel();
      sftp.off("close", onClose);
    }
  }

  async function makeFolder(folder: string): Promise<void> {
    if (folder === "" || made.has(folder)) return;
    await makeFolder(folder.split("/").slice(0, -1).join("/"));
    try {
      await ask<void>(folder, (sftp, done) => sftp.mkdir(pathOf(folder), { mode: 0o700 }, done));
    } catch (error) {
      // Servers have no answer of its own for one that is there.
      if (!(await isThere(folder))) throw error;
    }
    made.add(folder);
  }

  const isThere = (name: string): Promise<boolean> =>
    ask(name, (sftp, done) => sftp.lstat(pathOf(name), done)).then(
      () => true,
      (error: unknown) => {
        if (error instanceof EngineFailure && error.code === "target_missing") return false;
        throw error;
      },
    );

  async function withFile<Result>(
    name: string,
    mode: "r" | "wx",
    use: (handle: Buffer) => Promise<Result>,
  ): Promise<Result> {
    const handle = await ask<Buffer>(name, (sftp, done) => sftp.open(pathOf(name), mode, { mode: 0o600 }, done));
    if (!handle) throw new EngineFailure("target_refused", `The server did not open ${name}.`);
    try {
      return await use(handle);
    } finally {
      await ask<void>(name, (sftp, done) => sftp.close(handle, done)).catch(() => "it is closed with its connection");
    }
  }

  /** Has the server put a file on its disk, where it can be told to. */
  const sync = (name: string, handle: Buffer): Promise<void> =>
    ask<void>(name, (sftp, done) => {
      try {
        sftp.ext_openssh_fsync(handle, done);
      } catch {
        done(null);
      }
    });

  /** Pieces of so many bytes, all asked for at once, or as they may: most of the time goes by on the way. */
  async function inPieces(length: number, each: (from: number, to: number) => Promise<unknown>): Promise<void> {
    const work: Promise<unknown>[] = [];
    const step = pace ? PACED_BYTES : PIECE_BYTES;
    for (let from = 0; from < length; from += step) {
      const to = Math.min(length, from + step);
      await pace?.(to - from);
      work.push(each(from, to));
    }
    const failed = (await Promise.allSettled(work)).find((one) => one.status === "rejected");
    if (failed) throw failed.reason;
  }

  async function remove(name: string): Promise<void> {
    await ask<void>(name, (sftp, done) => sftp.unlink(pathOf(name), done)).catch((error: unknown) => {
      if (!(error instanceof EngineFailure && error.code === "target_missing")) throw error;
    });
  }

  async function listBelow(folder: string, listing: Listing): Promise<Listing> {
    const below: string[] = [];
    for await (const { filename, attrs } of namesIn(folder, listing)) {
      const name = `${folder}/${filename}`;
      if (filename.includes("/") || !isRepositoryName(name)) continue;
      const isFolder = ((attrs.mode ?? 0) & KIND_BITS) === FOLDER_BITS;
      listing.folders += isFolder ? 1 : 0;
      if (isFolder) below.push(name);
      else listing.files.push({ name, size: isSize(attrs.size) ? attrs.size : 0 });
    }
    for (const name of below) if (name.split("/").length <= DEEPEST) await listBelow(name, listing);
    return listing;
  }

  /** What lies in a folder, as the server hands it out; nothing where there is none. What is too much is counted on the way. */
  async function* namesIn(folder: string, listing: Listing): AsyncGenerator<Named> {
    const handle = await ask<Buffer>(folder, (sftp, done) => sftp.opendir(pathOf(folder), done)).catch(
      (error: unknown) => {
        if (error instanceof EngineFailure && error.code === "target_missing") return undefined;
        throw error;
      },
    );
    if (handle === undefined) return;
    try {
      for (;;) {
        const some = await ask<Named[]>(folder, (sftp, done) =>
          sftp.readdir(handle, (error, list) =>
            codeOf(error) === END_OF_FILE ? done(null, undefined) : done(error, list),
          ),
        );
        if (some === undefined) return;
        // A reply without names counts, too: those have no end either.
        listing.named += 1 + some.length;
        checkCount(listing.named, listing.folders);
        yield* some;
      }
    } finally {
      await ask<void>(folder, (sftp, done) => sftp.close(handle, done)).catch(() => "it is closed with its connection");
    }
  }

  return {
    async write(name, bytes) {
      assertName(name);
      await makeFolder(name.split("/").slice(0, -1).join("/"));
      await makeFolder(INCOMING);
      const whole = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
      const fresh = `${INCOMING}/${makeName()}`;
      try {
        await withFile(fresh, "wx", (handle) =>
          inPieces(bytes.length, (from, to) =>
            ask<void>(fresh, (sftp, done) => sftp.write(handle, whole, from, to - from, from, done)),
          ).then(() => sync(fresh, handle)),
        );
        // The protocol's rename replaces nothing.
        await ask<void>(name, (sftp, done) => sftp.rename(pathOf(fresh), pathOf(name), done));
      } catch (error) {
        const isTaken = await isThere(name).catch(() => false);
        await remove(fresh).catch(() => "whoever tidies up removes it");
        throw isTaken ? new EngineFailure("target_exists", `There is a ${name} already.`) : error;
      }
    },
    async read(name, range, most = MOST_FILE_BYTES) {
      assertName(name);
      return await withFile(name, "r", async (handle) => {
        const size =
          range?.length ?? (await ask<{ size: number }>(name, (sftp, done) => sftp.fstat(handle, done)))?.size;
        if (!isSize(size) || size > (range ? MOST_FILE_BYTES : most)) throw tooLarge(name);
        const bytes = Buffer.alloc(size);
        await inPieces(size, async (from, to) => {
          for (let at = from; at < to; ) {
            const got = await ask<number>(name, (sftp, done) =>
              sftp.read(handle, bytes, at, to - at, (range?.at ?? 0) + at, (error, count) =>
                // The end of a file comes as an error of its own.
                codeOf(error) === END_OF_FILE ? done(null, 0) : done(error, count),
              ),
            );
            if (!got) throw new EngineFailure("damaged", `${name} is shorter than it was.`);
            at += got;
          }
        });
        return new Uint8Array(bytes);
      });
    },
    async list(folder) {
      assertName(folder);
      return (await listBelow(folder, { files: [], named: 0, folders: 0 })).files.sort(byName);
    },
    async remove(name) {
      assertName(name);
      await remove(name);
    },
    warnings: () => [...warnings],
  };
}
