import { expect, test } from "bun:test";
import { join } from "node:path";
import { closeDriveNode, openDriveNode, tusEnd } from "../../../../tests/kit/drive-node.ts";
import { repeatedBytes } from "../../../../tests/kit/made-bytes.ts";
import { makeScratch } from "../../../../tests/kit/scratch.ts";
import type { ReceivedChunk } from "./contract.ts";

/** More of them by hand: `DRIVE_KILLS=200`. */
const ROUNDS = Number(Bun.env["DRIVE_KILLS"] ?? 2);
const CHILD = join(import.meta.dir, "../../../../tests/kit/tus-child.ts");
const FILE = repeatedBytes(40_000_000);

/** Sends until so many steps were acknowledged; gives the upload, and the end of the last step. */
async function sendAndKill(folder: string, round: number, begun: string, steps: number) {
  const child = Bun.spawn([process.execPath, CHILD, folder, `${round}`, begun], { stdout: "pipe", stderr: "inherit" });
  let output = "";
  const decoder = new TextDecoder();
  for await (const chunk of child.stdout) {
    output += decoder.decode(chunk, { stream: true });
    if (output.split("\n").length > steps) child.kill("SIGKILL");
  }
  await child.exited;
  const [id = "", end] = output.slice(0, output.lastIndexOf("\n")).split("\n").at(-1)?.split(" ") ?? [];
  return { id, end: Number(end) };
}

test("after a kill -9 an upload by tus ends no earlier than was acknowledged, and what is there is what was sent", async () => {
  const folder = makeScratch("tus-kill");
  let id = "";
  for (let round = 0; round < ROUNDS; round += 1) {
    // Each is killed twice.
    const acknowledged = await sendAndKill(folder, round, round % 2 === 0 ? "" : id, 20 + ((round * 17) % 40));
    id = acknowledged.id;
    const node = openDriveNode(folder, round);
    expect(await tusEnd(node, id)).toBeGreaterThanOrEqual(acknowledged.end);
    const { received, chunk_bytes } = (await node.call(`GET /api/drive/upload/${id}`, { as: "admin" })).body;
    for (const { number, size_bytes: size, sha256 } of received as ReceivedChunk[]) {
      const from = (number - 1) * chunk_bytes;
      const sent = FILE.subarray(from, from + size);
      expect(sha256).toBe(new Bun.CryptoHasher("sha256").update(sent).digest("hex"));
      const [part] = node.ctx.objectStore.listParts(id, { after: number - 1, limit: 1 });
      const stored = await node.ctx.objectStore.open({ blobs: part?.blobs ?? "[]" }, { start: 0, length: size });
      expect(Buffer.concat(await Array.fromAsync(stored)).equals(sent)).toBe(true);
    }
    await closeDriveNode(node);
  }
});
