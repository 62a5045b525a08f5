/** Both programs on a disk that others have filled: killed, they come back by themselves, and say what to do. */
import { afterEach, beforeEach, expect, test } from "bun:test";
import { execFileSync } from "node:child_process";
import { appendFileSync, mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { NODE_BINARY, PANEL_BINARY, startNode } from "../kit/binary.ts";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "orrery-full-"));
  execFileSync("/bin/mount", ["-t", "tmpfs", "-o", "size=400m", "tmpfs", folder]);
});
afterEach(() => {
  execFileSync("/bin/umount", [folder]);
  rmSync(folder, { recursive: true });
});

const piece = Buffer.alloc(4096, 1);
/** Takes the last of the room, as a log that runs full does. */
function fill(): void {
  try {
    for (;;) appendFileSync(join(folder, "of-others"), piece);
  } catch (error) {
    expect(error).toMatchObject({ code: "ENOSPC" });
  }
}

test.each([
  ["node", NODE_BINARY, "/api/auth/lock-info", {}, { online: true }],
  ["panel", PANEL_BINARY, "/api/health", { CP_AGENT_LISTEN: "127.0.0.1:0" }, { status: "ok", disk: "full" }],
])("the %s starts on a full disk, again and again", async (_, binary, path, env, says) => {
  let program = await startNode({ binary, dataDir: folder, env });
  for (let round = 0; round < 2; round++) {
    fill();
    await program.kill();
    program = await startNode({ binary, dataDir: folder, env });
    expect(await (await fetch(program.url + path)).json()).toMatchObject(says);
    const told = program.log.filter(({ msg }) => String(msg).startsWith("the disk with the data is full"));
    expect(told).toHaveLength(1);
  }
  rmSync(join(folder, "of-others"));
  await program.stop();
  program = await startNode({ binary, dataDir: folder, env });
  expect(statSync(join(folder, "reserve")).size).toBe(16 * 1024 * 1024);
  expect(await (await fetch(program.url + path)).json()).not.toHaveProperty("disk");
  await program.stop();
});
