import { expect, test } from "bun:test";
import { Upload } from "tus-js-client";
import { type NodeProcess, startNode } from "../kit/binary.ts";
import { type Client, setUp, signIn } from "../kit/client.ts";
import { madeBytes } from "../kit/made-bytes.ts";

const CHUNK = 6 * 1024 * 1024;
const FILE = Buffer.from(madeBytes(7, 3 * CHUNK + 12_345));
const SUM = new Bun.CryptoHasher("sha256").update(FILE).digest("hex");

/** Sends by the client of others, from where the address ends; `onChunk` may end it. Answers the address, also of what failed. */
function send(
  { url }: Pick<NodeProcess, "url">,
  { token }: Pick<Client, "token">,
  begun: string | null,
  onChunk: (bytes: number) => void,
): Promise<{ url: string; error: Error | null }> {
  return new Promise((resolve) => {
    const upload = new Upload(FILE, {
      endpoint: `${url}/api/drive/upload`,
      uploadUrl: begun === null ? null : `${url}${begun}`,
      headers: { authorization: `Bearer ${token}` },
      metadata: { filename: "film.bin" },
      // Of another size than the chunks that are stored.
      chunkSize: 2_500_000,
      retryDelays: null,
      onChunkComplete: (_, bytes) => onChunk(bytes),
      onError: (error) => resolve({ url: new URL(upload.url ?? url).pathname, error }),
      onSuccess: () => resolve({ url: new URL(upload.url ?? url).pathname, error: null }),
    });
    upload.start();
  });
}

test("an upload by tus goes on after a kill -9 from the last byte that was acknowledged", async () => {
  const first = await startNode();
  let acknowledged = 0;
  let killed: Promise<void> | null = null;
  const { url, error } = await send(first, await setUp(first.url), null, (bytes) => {
    acknowledged = bytes;
    if (bytes > CHUNK) killed ??= first.kill();
  });
  expect(error).not.toBeNull();
  await killed;
  const node = await startNode({ dataDir: first.dataDir });
  try {
    const owner = await signIn(node.url);
    const headers = { authorization: `Bearer ${owner.token}`, "tus-resumable": "1.0.0" };
    const head = await fetch(`${node.url}${url}`, { method: "HEAD", headers });
    expect(Number(head.headers.get("upload-offset"))).toBeGreaterThanOrEqual(acknowledged);
    expect((await send(node, owner, url, () => {})).error).toBeNull();
    const tree = await owner.ok("GET /api/drive/tree");
    const [file] = tree.nodes;
    expect(file).toMatchObject({ name: "film.bin", size_bytes: FILE.length, sha256: SUM });
    const answer = await fetch(`${node.url}/api/drive/raw/${file.id}`, { headers });
    expect(new Bun.CryptoHasher("sha256").update(await answer.bytes()).digest("hex")).toBe(SUM);
    // What is short enough says how long it is.
    const part = await fetch(answer.url, { headers: { range: "bytes=10-1009" } });
    expect([part.status, part.headers.get("content-length")]).toEqual([206, "1000"]);
  } finally {
    await node.dispose();
  }
});
