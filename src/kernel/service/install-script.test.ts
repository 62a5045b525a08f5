import { afterEach, beforeEach, expect, test } from "bun:test";
import { generateKeyPairSync, sign } from "node:crypto";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { type AddressInfo, createServer, type Server } from "node:net";
import { join } from "node:path";
import { makeScratch } from "../../../tests/kit/scratch.ts";
import { sha256Hex } from "../../lib/digest.ts";
import { writeReleaseList } from "./release-list.ts";

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

/** A place that holds one release, whose program says its version and then how it is installed. */
function serveRelease(version: string) {
  const { privateKey, publicKey } = generateKeyPairSync("ed25519");
  const program = `#!/bin/sh\n[ "$1" = version ] && echo ${version} || echo "it was told: $*"\n`;
  const statement = { program: "orrery-panel", version, sha256: sha256Hex(program) };
  const assets = ["linux-x64", "linux-x64-baseline", "linux-arm64"].map((target) => ({
    target,
    name: `orrery-panel-${target}`,
  }));
  const sums = writeReleaseList(assets.map((asset) => ({ ...statement, ...asset })));
  const files: Record<string, string | Uint8Array> = {
    "/SHA256SUMS": sums,
    "/SHA256SUMS.sig": sign(null, Buffer.from(sums), privateKey),
  };
  for (const { name } of assets) files[`/${name}`] = program;
  const place = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    fetch: ({ url }) => new Response(files[new URL(url).pathname.replace("/1.9.0", "")] ?? null),
  });
  return { place, key: publicKey.export({ type: "spki", format: "pem" }).toString() };
}

test("a script that came with a release takes no older one that nobody asked for, also where nothing is installed", async () => {
  const folder = makeScratch("install-script");
  const { place, key } = serveRelease("1.9.0");
  const run = async (cameWith: string, more: Record<string, string> = {}) => {
    const script = join(folder, "install.sh");
    const text = readFileSync(SCRIPT, "utf8").replace("release_key=''", `release_key='${key}'`);
    writeFileSync(script, text.replace("release_version=''", `release_version='${cameWith}'`));
    const env = { PATH: process.env["PATH"] ?? "", TMPDIR: folder, ORRERY_PROGRAM: "orrery-panel", ...more };
    const child = Bun.spawn(["sh", script, "--dry-run"], {
      env: { ...env, ORRERY_RELEASE_BASE: `http://127.0.0.1:${place.port}` },
      ...{ stderr: "pipe" as const, stdout: "pipe" as const },
    });
    const said = (await new Response(child.stdout).text()) + (await new Response(child.stderr).text());
    return { code: await child.exited, said };
  };
  const old = await run("2.0.0+abc");
  expect([old.code, old.said]).toEqual([1, expect.stringContaining("1.9.0 is older than 2.0.0")]);
  expect(old.said).not.toContain("it was told");
  for (const [cameWith, more] of [
    ["1.9.0+abc", {}],
    ["1.10.0", { ORRERY_VERSION: "1.9.0" }],
    ["2.0.0", { ORRERY_ALLOW_OLDER: "yes" }],
    ["", {}],
  ] as const)
    expect(await run(cameWith, more)).toEqual({
      code: 0,
      said: expect.stringContaining("it was told: install --dry-run"),
    });
  await place.stop(true);
});
