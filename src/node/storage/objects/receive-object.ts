import type { ObjectStore } from "../object-store/index.ts";
import { type Algorithm, createSum } from "./checksums.ts";

/** Bytes that have come in whole: `blob` is what the change takes. */
export interface Received {
  blob: Awaited<ReturnType<Awaited<ReturnType<ObjectStore["receive"]>>["finish"]>>;
  /** MD5 in hex, which is the etag of an object that came in one piece. */
  md5: string;
  /** In base64. */
  sums: Partial<Record<Algorithm | "md5", string>>;
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
  try {
    const md5 = new Bun.CryptoHasher("md5");
    const sums = algorithms.map((algorithm) => ({ algorithm, sum: createSum(algorithm) }));
    for await (const piece of bytes) {
      md5.update(piece);
      for (const { sum } of sums) sum.add(piece);
      await incoming.add(piece);
    }
    const digest = md5.digest();
    const given = {
      md5: digest.toString("hex"),
      sums: Object.fromEntries([
        ["md5", digest.toString("base64")],
        ...sums.map(({ algorithm, sum }) => [algorithm, Buffer.from(sum.digest()).toString("base64")]),
      ]),
    };
    check(given);
    return { ...given, blob: await incoming.finish() };
  } catch (error) {
    await incoming.drop();
    throw error;
  }
}
