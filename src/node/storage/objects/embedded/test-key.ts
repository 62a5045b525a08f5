import { fail, type KeyTest } from "../contract.ts";
import type { Local } from "../own.ts";
import { listAccessKeys } from "./access-keys.ts";

/** Signs in with a key at the node's own S3 port, as a program would. Throws `objstore_key_not_found`. */
export async function testAccessKey(own: Local, accessKey: string): Promise<KeyTest> {
  const shown = listAccessKeys(own).find((key) => key.access_key === accessKey);
  if (shown === undefined) throw fail("objstore_key_not_found", { key: accessKey });
  const known = own.access.find(accessKey);
  if (known === null)
    return refused(
      "Its secret does not open: it was sealed under another node key.",
      "Make a new key and remove this one.",
    );
  const bucket = shown.grants.find(({ read }) => read)?.bucket;
  if (bucket === undefined)
    return refused("It may read no bucket, so there is nothing to try.", "Make a key that may read a bucket.");
  const { url: endpoint, region, status, problem } = own.listener.info();
  if (status !== "listening") return refused(problem ?? "The store does not listen yet.", "Try again in a moment.");
  const credentials = { accessKeyId: accessKey, secretAccessKey: known.secret };
  try {
    await new Bun.S3Client({ ...credentials, endpoint, region, bucket }).list({ maxKeys: 1 });
    return { ok: true, words: `It works: ${bucket} was listed with it through S3.`, next_step: null };
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return refused(`The store refused it: ${reason}`, "Look at what it may do, and at the log of the node.");
  }
}

const refused = (words: string, next_step: string): KeyTest => ({ ok: false, words, next_step });
