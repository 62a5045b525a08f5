import type { ObjectStore } from "../object-store/index.ts";
import type { Algorithm, Summed } from "./checksums.ts";
import { createComingSums } from "./coming-sums.ts";

/** Bytes that have come in whole: `blob` is what the change takes. */
export interface Received {
  blob: Awaited<ReturnType<Awaited<ReturnType<ObjectStore["receive"]>>["finish"]>>;
  /** MD5 in hex, which is the etag of an object that came in one piece. */
  md5: string;
  /** In base64. */
  sums: Partial<Record<Summed, string>>;
}

/**
 * Takes bytes to the disk; `check` throws for what is not as its sender said, before anything is kept. Nothing of it is seen until
 * the change that names it.
 */
export async function receiveObject(
  { objectStore }: { objectStore: Pick<ObjectStore, "receive"> },
  bytes: AsyncIterable<Uint8Array>,
  algorithms: readonly Algorithm[],
  check: (received: Omit<Received, "blob">) => void,
): Promise<Received> {
  const incoming = await objectStore.receive();
  const wanted = ["md5", ...algorithms] as const;
  const sums = createComingSums(wanted);
  try {
    for await (const piece of bytes) {
      await sums.add(piece);
      await incoming.add(piece);
    }
    const digests = (await sums.end()).map((digest) => Buffer.from(digest));
    const given = {
      md5: digests[0]?.toString("hex") ?? "",
      sums: Object.fromEntries(wanted.map((one, at) => [one, digests[at]?.toString("base64") ?? ""])),
    };
    check(given);
    return { ...given, blob: await incoming.finish() };
  } catch (error) {
    sums.drop();
    await incoming.drop();
    throw error;
  }
}
