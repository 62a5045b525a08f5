import { afterEach, beforeEach, expect, test } from "bun:test";
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { blackPngOf, emptyJpegOf, pngOf } from "../../../../tests/kit/made-images.ts";
import type { TestNode } from "../../../../tests/kit/node-app.ts";
import { makeScratch } from "../../../../tests/kit/scratch.ts";
import { closeStorageNode, openStorageNode } from "../../../../tests/kit/storage-node.ts";
import { hours } from "../../../lib/duration.ts";
import { createIds } from "../../../lib/ids.ts";
import type { Role } from "../../access.ts";
import { mediaOf } from "./media.ts";
import { createThumbnailCache } from "./thumbnail-cache.ts";
import { makeThumbnail } from "./thumbnail-image.ts";

let node: TestNode;
beforeEach(() => {
  node = openStorageNode();
});
afterEach(() => closeStorageNode(node));

const call = (route: string, as: Role = "admin") => node.call(route, { as });

async function upload(name: string, content: string | Uint8Array<ArrayBuffer>) {
  const body = new FormData();
  body.set("file", new File([content], name));
  const headers = { authorization: `Bearer ${await node.tokenOf("admin")}`, host: "localhost" };
  const request = new Request("http://localhost/api/drive/upload", { method: "POST", headers, body });
  return JSON.parse(await (await node.fetch(request)).text());
}

async function fetchAs(path: string, headers: Record<string, string> = {}, as: Role | null = "admin") {
  const token: Record<string, string> = as === null ? {} : { authorization: `Bearer ${await node.tokenOf(as)}` };
  return await node.fetch(
    new Request(`http://localhost${path}`, { headers: { host: "localhost", ...token, ...headers } }),
  );
}

const kept = (): string[] => readdirSync(join(node.ctx.config.data_dir, "drive-thumbnails"));

test("a picture has a small one, which is made once, is its owner's alone, and goes with its content", async () => {
  const file = await upload("a.png", pngOf(1200, 600));
  const path = `/api/drive/nodes/${file.id}/thumbnail`;
  const many = await Promise.all([path, `${path}?sha256=${file.sha256}`, path].map((one) => fetchAs(one)));
  expect(many.map(({ status }) => status)).toEqual([200, 200, 200]);
  expect(many.map(({ headers }) => headers.get("cache-control"))).toEqual([
    "no-store",
    "private, max-age=31536000, immutable",
    "no-store",
  ]);
  const bytes = new Uint8Array(await (many[0] ?? new Response()).arrayBuffer());
  expect(await new Bun.Image(bytes).metadata()).toEqual({ width: 480, height: 240, format: "webp" });
  expect(kept()).toEqual([file.sha256]);
  expect((await fetchAs(path, {}, "member")).status).toBe(404);
  await node.call(`DELETE /api/drive/nodes/${file.id}`, { as: "admin" });
  await node.call(`DELETE /api/drive/trash/${file.id}`, { as: "admin" });
  await node.ctx.jobs.run("drive-purge");
  expect(kept()).toEqual([]);
});

test("what is no picture, damaged, or a bomb, has none, and is not tried again", async () => {
  const bomb = pngOf(50_000, 50_000, undefined, 3);
  const files = [
    await upload("a.txt", "a"),
    await upload("b.png", pngOf(9, 9).slice(0, 20)),
    await upload("c.png", bomb),
  ];
  for (const { id } of files) {
    const { status, body } = await call(`GET /api/drive/nodes/${id}/thumbnail`);
    expect([status, body.code]).toEqual([404, "drive_no_thumbnail"]);
  }
  expect(kept().toSorted()).toEqual(files.map(({ sha256 }) => sha256).toSorted());
  const { body } = await call(`GET /api/drive/nodes/${files[2]?.id}/thumbnail`);
  expect(body.code).toBe("drive_no_thumbnail");
});

test("a picture that says too many pixels, or says them too often, is refused before it is unpacked", async () => {
  const jpeg = await new Bun.Image(pngOf(64, 64)).jpeg({ progressive: true }).bytes();
  expect(await makeThumbnail(jpeg)).not.toBeNull();
  const scan = jpeg.lastIndexOf(0xda) - 1;
  const again = Buffer.concat(Array.from({ length: 40 }, () => jpeg.subarray(scan, -2)));
  expect(await makeThumbnail(Buffer.concat([jpeg.subarray(0, -2), again, jpeg.subarray(-2)]))).toBeNull();
  expect(await makeThumbnail(blackPngOf(4_999, 4_999))).not.toBeNull();
  expect(await makeThumbnail(blackPngOf(5_001, 5_001))).toBeNull();
  // Decoders make up what is missing of a JPEG, so what its head says is all that keeps them from it.
  expect(await makeThumbnail(emptyJpegOf(9_999, 9_999))).not.toBeNull();
  expect(await makeThumbnail(emptyJpegOf(10_001, 10_001))).toBeNull();
});

test("what a JPEG would have the decoder hold is known from its head", async () => {
  const progressive = 0xc2;
  const full = [0x11, 0x11, 0x11];
  const halved = [0x22, 0x11, 0x11];
  const odd = [0x31, 0x11, 0x11];
  const cmyk = [0x11, 0x11, 0x11, 0x11];
  for (const [width, height, kind, hasOne] of [
    [5_000, 4_999, { frame: progressive, sampling: full }, true],
    [5_000, 5_001, { frame: progressive, sampling: full }, false],
    [7_000, 7_000, { frame: progressive, sampling: halved }, true],
    [10_000, 9_999, { frame: progressive, sampling: halved }, false],
    [5_000, 4_999, { frame: progressive, sampling: cmyk }, false],
    [10_000, 9_999, { scanned: 1, sampling: full }, false],
    [10_000, 9_999, { frame: 0xc3, sampling: full }, false],
    [10_000, 9_999, { sampling: odd }, false],
    [4_000, 4_000, { sampling: odd, turned: true }, true],
    [65_500, 480, { sampling: full }, false],
    [10_000, 9_999, { sampling: halved, turned: true }, true],
    [10_000, 9_999, { sampling: cmyk }, true],
  ] as const)
    expect([kind, (await makeThumbnail(emptyJpegOf(width, height, kind))) !== null]).toEqual([kind, hasOne]);
});

test("small pictures are encrypted while what they show is, and made anew with the switch", async () => {
  const file = await upload("a.png", pngOf(1200, 600));
  const path = `/api/drive/nodes/${file.id}/thumbnail`;
  const plain = await (await fetchAs(path)).bytes();
  for (const on of [true, false]) {
    expect((await node.call("PUT /api/objects/encryption", { as: "admin", body: { on } })).status).toBe(200);
    await node.ctx.bus.idle();
    const folders = ["drive-thumbnails-encrypted", "drive-thumbnails"];
    const [right, wrong] = on ? folders : folders.toReversed();
    expect(Buffer.from(await (await fetchAs(path)).bytes()).equals(Buffer.from(plain))).toBe(true);
    const lies = (folder = "") => {
      const kept = join(node.dataDir, folder, file.sha256);
      return existsSync(kept) ? readFileSync(kept).equals(Buffer.from(plain)) : null;
    };
    expect([lies(right), lies(wrong)]).toEqual([!on, null]);
  }
});

test("the folder of small pictures keeps to its limit, what was asked for last stays, and power cuts do no harm", async () => {
  const folder = makeScratch("thumbnails");
  const ids = createIds(() => 0);
  const open = () => createThumbnailCache(folder, ids, { maxBytes: 1_000, maxFiles: 3 });
  const cache = open();
  const bytes = new Uint8Array(300);
  for (const name of ["a", "b", "c"]) await cache.keep(name, bytes);
  await cache.find("a");
  await cache.keep("d", null);
  await cache.keep("e", bytes);
  expect(readdirSync(folder).toSorted()).toEqual(["a", "d", "e"]);
  writeFileSync(join(folder, "a"), "");
  writeFileSync(join(folder, "left.new"), "half");
  const after = open();
  expect([await after.find("a"), await after.find("d"), await after.find("b")]).toEqual([undefined, null, undefined]);
  expect(readdirSync(folder).toSorted()).toEqual(["d", "e"]);
});

test("a folder of small pictures that could not be opened is tried again", async () => {
  const folder = join(makeScratch("thumbnails"), "small");
  const cache = createThumbnailCache(
    folder,
    createIds(() => 0),
    { maxBytes: 1_000, maxFiles: 3 },
  );
  writeFileSync(folder, "in the way");
  await expect(cache.find("a")).rejects.toThrow();
  rmSync(folder);
  expect(await cache.find("a")).toBeUndefined();
  await cache.keep("a", null);
  expect(await cache.find("a")).toBeNull();
});

test("a file is looked at as what it is, whatever it is called, and nothing of it runs", async () => {
  const svg = '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>';
  for (const [name, content, kind, type] of [
    ["page.png", "<html><script>alert(1)</script>", "text", "text/plain; charset=utf-8"],
    ["drawing.svg", svg, "text", "text/plain; charset=utf-8"],
    ["letters.txt", "é".repeat(3_000), "text", "text/plain; charset=utf-8"],
    ["really.txt", pngOf(2, 2), "image", "image/png"],
    ["a.pdf", "%PDF-1.7\n", "pdf", "application/pdf"],
  ] as const) {
    const { id } = await upload(name, content as string);
    const { body } = await call(`GET /api/drive/nodes/${id}/view`);
    expect(body).toMatchObject({ kind, media_type: type });
    const answer = await fetchAs(body.url, { range: "bytes=0-3" }, null);
    expect([answer.status, answer.headers.get("content-type")]).toEqual([206, type]);
    expect(answer.headers.get("x-content-type-options")).toBe("nosniff");
    expect(answer.headers.get("content-disposition")).toStartWith("inline; ");
    const policy = answer.headers.get("content-security-policy") ?? "";
    expect(policy).toContain("default-src 'none'");
    expect(policy.startsWith("sandbox")).toBe(kind !== "pdf");
  }
  const { id } = await upload("a.bin", new Uint8Array([0, 1, 2, 3]));
  expect((await call(`GET /api/drive/nodes/${id}/view`)).body).toMatchObject({ kind: "none", url: null });
});

test("media are known by how they begin", () => {
  const kindOf = (text: string) => mediaOf(new Uint8Array(Buffer.from(text, "latin1"))).type;
  expect(kindOf("\0\0\0\x18ftypisom")).toBe("video/mp4");
  expect(kindOf("\0\0\0\x18ftypM4A ")).toBe("audio/mp4");
  expect(kindOf("\0\0\0\x18ftypheic")).toBe("image/heic");
  expect(kindOf("\0\0\0\x18ftypavif")).toBe("image/avif");
  expect(kindOf("RIFF\0\0\0\0WAVEfmt ")).toBe("audio/wav");
  expect(kindOf("letters WAVE in a text")).toStartWith("text/plain");
  expect(kindOf("\xff\xfe\0\0")).toBe("application/octet-stream");
  expect(kindOf("")).toStartWith("text/plain");
});

test("an address to look at a file ends with an hour, with the account switched off, and is no key's to ask for", async () => {
  const { id } = await upload("a.txt", "hello");
  const { url } = (await call(`GET /api/drive/nodes/${id}/view`)).body;
  expect((await fetchAs(url, {}, null)).status).toBe(200);
  node.ctx.db.raw.run("UPDATE users SET disabled_at = 1");
  expect((await fetchAs(url, {}, null)).status).toBe(404);
  node.ctx.db.raw.run("UPDATE users SET disabled_at = NULL");
  await node.clock.advance(hours(1));
  expect((await fetchAs(url, {}, null)).status).toBe(404);
  const rule = node.routes.find(({ path }) => path === "/api/drive/nodes/{id}/view");
  expect(JSON.stringify(rule)).toContain('"keys":"never"');
});
