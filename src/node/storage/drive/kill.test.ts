import { expect, test } from "bun:test";
import { join } from "node:path";
import { closeDriveNode, openDriveNode } from "../../../../tests/kit/drive-node.ts";
import { madeBytes } from "../../../../tests/kit/made-bytes.ts";
import { makeScratch } from "../../../../tests/kit/scratch.ts";
import type { DriveNode, DriveVersion } from "./contract.ts";

/** More of them by hand: `DRIVE_KILLS=200`. */
const ROUNDS = Number(Bun.env["DRIVE_KILLS"] ?? 2);
const CHILD = join(import.meta.dir, "../../../../tests/kit/drive-child.ts");

const sums = new Map<string, string>();
const sumOf = (made: string): string => {
  const [seed, size] = made.split(" ").map(Number);
  const sum = sums.get(made) ?? new Bun.CryptoHasher("sha256").update(madeBytes(seed ?? 0, size ?? 0)).digest("hex");
  sums.set(made, sum);
  return sum;
};

/** Of each file, what it was told to hold in this order, and what of that was not acknowledged. */
interface Told {
  sent: string[];
  begun: string | null;
}

async function runAndKill(folder: string, round: number, afterLines: number): Promise<string> {
  const child = Bun.spawn([process.execPath, CHILD, folder, `${round}`], { stdout: "pipe", stderr: "inherit" });
  let output = "";
  const decoder = new TextDecoder();
  for await (const chunk of child.stdout) {
    output += decoder.decode(chunk, { stream: true });
    if (output.split("\n").length > afterLines) child.kill("SIGKILL");
  }
  await child.exited;
  return output;
}

function follow(output: string, told: Map<string, Told>): void {
  for (const line of output.slice(0, output.lastIndexOf("\n") + 1).split("\n")) {
    const [what = "", name = "", ...rest] = line.split(" ");
    const file = told.get(name) ?? { sent: [], begun: null };
    if (what === "sending") told.set(name, { ...file, begun: rest.join(" ") });
    if (what === "sent") told.set(name, { sent: [...file.sent, rest.join(" ")], begun: null });
  }
}

test("after a kill -9 all that was acknowledged is there with its versions and whole, and nothing half", async () => {
  const folder = makeScratch("drive-kill");
  const told = new Map<string, Told>();
  for (let round = 0; round < ROUNDS; round += 1) {
    follow(await runAndKill(folder, round, 12 + ((round * 17) % 60)), told);
    const node = openDriveNode(folder, round);
    const get = async (route: string) => (await node.call(`GET ${route}`, { as: "admin" })).body;
    const nodes: DriveNode[] = (await get("/api/drive/tree")).nodes;
    expect(nodes.length).toBeGreaterThan(0);
    const held = new Set<string>();
    for (const [name, { sent, begun }] of told) {
      const file = nodes.find((one) => one.name === name);
      if (file === undefined) {
        expect(sent).toEqual([]);
        continue;
      }
      const { versions } = await get(`/api/drive/nodes/${file.id}/versions`);
      const history = [file.sha256 ?? "", ...versions.map(({ sha256 }: DriveVersion) => sha256)].toReversed();
      const acknowledged = sent.map(sumOf);
      // What was under way when the end came has happened whole, or not at all.
      if (history.length > acknowledged.length && begun !== null)
        told.set(name, { sent: [...sent, begun], begun: null });
      else told.set(name, { sent, begun: null });
      expect(history).toEqual((told.get(name)?.sent ?? []).map(sumOf));
      for (const sum of history) held.add(sum);
    }
    // A large file that was cut off between its bytes and its name keeps them for whoever goes on with it.
    const half = node.ctx.db.raw.query<{ sha256: string }, []>(
      "SELECT sha256 FROM drive_uploads WHERE sha256 IS NOT NULL AND node_id IS NULL",
    );
    const waiting = half.all().map(({ sha256 }) => sha256);
    await node.ctx.jobs.run("drive-purge");
    const bucket = node.ctx.objectStore.findBucket("service-drive");
    const stored = waiting.filter(
      (sum) => node.ctx.objectStore.findObject(bucket?.id ?? "", Buffer.from(sum)) !== null,
    );
    for (const sum of stored) held.add(sum);
    expect(bucket?.object_count).toBe(held.size);
    for (const sum of held) {
      const object = node.ctx.objectStore.findObject(bucket?.id ?? "", Buffer.from(sum));
      const hasher = new Bun.CryptoHasher("sha256");
      const bytes = object && (await node.ctx.objectStore.open(object, { start: 0, length: object.size }));
      for await (const piece of bytes ?? []) hasher.update(piece);
      expect(hasher.digest("hex")).toBe(sum);
    }
    await closeDriveNode(node);
  }
});
