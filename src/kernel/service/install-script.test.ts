import { afterEach, beforeEach, expect, test } from "bun:test";
import { readdirSync } from "node:fs";
import { type AddressInfo, createServer, type Server } from "node:net";
import { join } from "node:path";
import { makeScratch } from "../../../tests/kit/scratch.ts";

const SCRIPT = join(import.meta.dir, "../../../install.sh");
const PIECE = new Uint8Array(65_536);
/** What stands for a disk. */
const DISK = 64 * 1_048_576;

let sent = 0;
let mirror: Server;
beforeEach(async () => {
  sent = 0;
  mirror = createServer((socket) => {
    function pour(): void {
      while (sent < DISK) {
        sent += PIECE.length;
        if (!socket.write(PIECE)) return;
      }
      socket.destroy();
    }
    socket.on("error", () => {}).on("drain", pour);
    socket.once("data", () => {
      socket.write("HTTP/1.1 200 OK\r\n\r\n");
      pour();
    });
  });
  await new Promise<void>((resolve) => mirror.listen(0, "127.0.0.1", resolve));
});
afterEach(() => mirror.close());

test("a mirror that sends without end fills no disk", async () => {
  const TMPDIR = makeScratch("install-script");
  const { port } = mirror.address() as AddressInfo;
  const script = Bun.spawn(["sh", SCRIPT, "--dry-run"], {
    env: { PATH: process.env["PATH"] ?? "", TMPDIR, ORRERY_RELEASE_BASE: `http://127.0.0.1:${port}` },
    stderr: "pipe",
    stdout: "ignore",
  });
  expect(await new Response(script.stderr).text()).toContain("is larger than any release");
  expect(await script.exited).toBe(1);
  expect(sent).toBeGreaterThan(PIECE.length);
  expect(sent).toBeLessThan(DISK);
  expect(readdirSync(TMPDIR)).toEqual([]);
});
