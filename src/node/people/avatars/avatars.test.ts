import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { blackPngOf, emptyJpegOf, pngOf } from "../../../../tests/kit/made-images.ts";
import { createTestNode, type TestNode } from "../../../../tests/kit/node-app.ts";
import { minutes } from "../../../lib/duration.ts";
import { cropSquare, decodePng, encodePng } from "./crop-png.ts";
import { renderAvatar } from "./render.ts";

let node: TestNode;
beforeEach(() => {
  node = createTestNode();
});
afterEach(() => node.close());

/** A picture whose red grows to the right and green downwards. */
function gradient(width: number, height: number) {
  const data = Buffer.alloc(width * height * 4);
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      data.set([(x * 255) / width, (y * 255) / height, 0, 255], (y * width + x) * 4);
    }
  }
  return encodePng({ width, height, data });
}

/** The same PNG, claiming another size. */
function claiming(png: Buffer, width: number, height: number): Buffer {
  const copy = Buffer.from(png);
  copy.writeUInt32BE(width, 16);
  copy.writeUInt32BE(height, 20);
  copy.writeUInt32BE(Bun.hash.crc32(copy.subarray(12, 29)), 29);
  return copy;
}

/** A JPEG with an EXIF block that carries a place and asks for a quarter turn. */
function withExif(jpeg: Uint8Array): Buffer {
  const entries = [
    [0x0112, 3, 1, 6 << 16],
    [0x8825, 4, 1, 0],
  ].map((entry) => {
    const bytes = Buffer.alloc(12);
    bytes.writeUInt16BE(entry[0] ?? 0, 0);
    bytes.writeUInt16BE(entry[1] ?? 0, 2);
    bytes.writeUInt32BE(entry[2] ?? 0, 4);
    bytes.writeUInt32BE(entry[3] ?? 0, 8);
    return bytes;
  });
  const tiff = Buffer.concat([
    Buffer.from("4d4d002a000000080002", "hex"),
    ...entries,
    Buffer.alloc(4),
    Buffer.from("GPS 52.5200N 13.4050E"),
  ]);
  const body = Buffer.concat([Buffer.from("Exif\0\0"), tiff]);
  const length = Buffer.alloc(2);
  length.writeUInt16BE(body.length + 2);
  return Buffer.concat([jpeg.subarray(0, 2), Buffer.from([0xff, 0xe1]), length, body, jpeg.subarray(2)]);
}

async function put(bytes: Uint8Array, { field = "file", type = "image/png", name = "me.png" } = {}) {
  const form = new FormData();
  form.append(field, new Blob([new Uint8Array(bytes)], { type }), name);
  const request = new Request("http://localhost/", { method: "PUT", body: form });
  const contentType = request.headers.get("content-type") ?? "";
  return upload(new Uint8Array(await request.arrayBuffer()), contentType);
}
async function upload(body: Uint8Array<ArrayBuffer> | Buffer<ArrayBuffer> | string, contentType: string) {
  const headers = { "content-type": contentType, authorization: `Bearer ${await node.tokenOf("viewer")}` };
  const request = new Request("http://localhost/api/profile/avatar", { method: "PUT", body, headers });
  const response = await node.fetch(request);
  return { status: response.status, body: JSON.parse(await response.text()) };
}

/** Fetches an avatar by its address. */
async function fetchAvatar(url: string) {
  const response = await node.fetch(new Request(`http://localhost${url}`));
  return { status: response.status, headers: response.headers, bytes: Buffer.from(await response.arrayBuffer()) };
}

const chunkNames = (png: Buffer): string[] => {
  const names: string[] = [];
  for (let at = 8; at + 12 <= png.length; at += png.readUInt32BE(at) + 12)
    names.push(png.toString("latin1", at + 4, at + 8));
  return names;
};

test("a picture becomes a 256 by 256 PNG that everybody may keep for ever", async () => {
  const { status, body } = await put(gradient(640, 480));
  expect(status).toBe(200);
  expect(body.avatar_url).toMatch(/^\/api\/avatars\/[0-9a-f]{64}\.png$/);
  const avatar = await fetchAvatar(body.avatar_url);
  expect([avatar.status, avatar.headers.get("content-type")]).toEqual([200, "image/png"]);
  expect(avatar.headers.get("cache-control")).toBe("public, max-age=31536000, immutable");
  const { width, height, data } = decodePng(avatar.bytes);
  expect([width, height]).toEqual([256, 256]);
  // The middle is kept: 80 of 640 columns are cut off on each side, so red begins at an eighth.
  expect(Math.abs((data[0] ?? 0) - 32)).toBeLessThan(6);
  expect((await node.call("GET /api/auth/me", { as: "viewer" })).body.avatar_url).toBe(body.avatar_url);
});

test.each(["jpeg", "webp"] as const)("%s is told by content, whatever the name says", async (format) => {
  const image = new Bun.Image(gradient(300, 300));
  const bytes = await (format === "jpeg" ? image.jpeg() : image.webp()).bytes();
  expect((await put(bytes, { type: "image/gif", name: "me.exe" })).status).toBe(200);
});

test("place and other metadata are gone, and the quarter turn is applied", async () => {
  const jpeg = withExif(await new Bun.Image(gradient(600, 300)).jpeg({ quality: 95 }).bytes());
  const { body } = await put(jpeg, { type: "image/jpeg" });
  const { bytes } = await fetchAvatar(body.avatar_url);
  expect(chunkNames(bytes)).toEqual(["IHDR", "IDAT", "IEND"]);
  expect(bytes.toString("latin1")).not.toContain("GPS");
  // Turned clockwise, what grew downwards grows to the left.
  const { data } = decodePng(bytes);
  expect(data[128 * 1024 + 1] ?? 0).toBeGreaterThan(200);
  expect(data[128 * 1024 + 255 * 4 + 1] ?? 255).toBeLessThan(55);
});

test("a new picture replaces the old one, which is dropped unless somebody else shows it", async () => {
  const first = (await put(gradient(300, 300))).body.avatar_url;
  const second = (await put(gradient(256, 400))).body.avatar_url;
  expect(second).not.toBe(first);
  expect((await fetchAvatar(first)).status).toBe(404);
  const gone = await node.call("DELETE /api/profile/avatar", { as: "viewer" });
  expect([gone.status, gone.body]).toEqual([204, ""]);
  expect((await fetchAvatar(second)).status).toBe(404);
  expect((await node.call("GET /api/auth/me", { as: "viewer" })).body.avatar_url).toBeNull();
});

test("a picture goes with the last account that shows it", async () => {
  const picture = (await put(gradient(300, 300))).body.avatar_url;
  await node.call("DELETE /api/users/usr_viewer", { as: "admin" });
  expect((await fetchAvatar(picture)).status).toBe(404);
});

describe("what is refused leaves the old picture", () => {
  let before: string;
  beforeEach(async () => {
    before = (await put(gradient(300, 300))).body.avatar_url;
  });
  afterEach(async () => {
    expect((await node.call("GET /api/auth/me", { as: "viewer" })).body.avatar_url).toBe(before);
  });

  test("no picture at all", async () => {
    const gif = Buffer.from("R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7", "base64");
    const svg = Buffer.from("<svg xmlns='http://www.w3.org/2000/svg' width='9' height='9'/>");
    for (const bytes of [Buffer.from("hello"), Buffer.alloc(0), gif, svg, gradient(300, 300).subarray(0, 60)]) {
      expect([(await put(bytes)).status, (await put(bytes)).body.code]).toEqual([400, "avatar_unreadable"]);
    }
  });

  test("a small file that claims a huge canvas, before anything is decoded", async () => {
    const used = process.memoryUsage().rss;
    for (const bomb of [claiming(gradient(10, 10), 20_000, 20_000), claiming(gradient(10, 10), 65_535, 400)]) {
      const { status, body } = await put(bomb);
      expect([status, body.code]).toEqual([400, "avatar_too_many_pixels"]);
    }
    expect(process.memoryUsage().rss - used).toBeLessThan(64 * 1024 * 1024);
  });

  test("a small PNG of many pixels, and a JPEG that says its pixels very often", async () => {
    expect((await put(blackPngOf(4_000, 2_001))).body).toMatchObject({
      code: "avatar_too_many_pixels",
      params: { limit_megapixels: 8 },
    });
    const jpeg = await new Bun.Image(pngOf(64, 64)).jpeg({ progressive: true }).bytes();
    const scan = jpeg.lastIndexOf(0xda) - 1;
    const again = Buffer.concat(Array.from({ length: 40 }, () => jpeg.subarray(scan, -2)));
    const long = Buffer.concat([jpeg.subarray(0, -2), again, jpeg.subarray(-2)]);
    expect((await put(long, { type: "image/jpeg" })).body.code).toBe("avatar_too_many_scans");
    const held = emptyJpegOf(4_800, 4_900, { frame: 0xc2 });
    expect((await put(held, { type: "image/jpeg" })).body.code).toBe("avatar_too_many_scans");
  });

  test("the picture of whoever has left", async () => {
    const gone = new AbortController();
    const headers = {
      "content-type": "multipart/form-data; boundary=x",
      authorization: `Bearer ${await node.tokenOf("viewer")}`,
    };
    const head = '--x\r\ncontent-disposition: form-data; name="file"; filename="a.png"\r\n\r\n';
    const body = new ReadableStream<Uint8Array>({
      pull(out) {
        out.enqueue(Buffer.concat([Buffer.from(head), gradient(9, 9), Buffer.from("\r\n--x--\r\n")]));
        out.close();
        gone.abort();
      },
    });
    const url = "http://localhost/api/profile/avatar";
    const answer = await node.fetch(new Request(url, { method: "PUT", body, headers, signal: gone.signal }));
    expect([answer.status, JSON.parse(await answer.text()).code]).toEqual([408, "avatar_sender_left"]);
  });

  test("more than 2 MB", async () => {
    const noise = Buffer.concat([gradient(300, 300), Buffer.alloc(2 * 1024 * 1024)]);
    expect((await put(noise)).status).toBe(413);
    expect((await put(Buffer.alloc(5 * 1024 * 1024))).status).toBe(413);
  });

  test("a field besides the picture, or two pictures", async () => {
    for (const [name, reason] of [
      ["title", "is not known here"],
      ["file", "is there twice"],
    ]) {
      const form = new FormData();
      form.append("file", new Blob([new Uint8Array(gradient(9, 9))]), "me.png");
      form.append(name ?? "", new Blob([new Uint8Array(gradient(9, 9))]), "you.png");
      const request = new Request("http://localhost/", { method: "PUT", body: form });
      const type = request.headers.get("content-type") ?? "";
      const { status, body } = await upload(new Uint8Array(await request.arrayBuffer()), type);
      expect([status, body.code, body.params]).toEqual([400, "invalid_request", { field: name, reason }]);
    }
  });

  test("another field, no form, no body", async () => {
    expect((await put(gradient(9, 9), { field: "picture" })).body.code).toBe("avatar_missing");
    expect((await upload(new Uint8Array(gradient(9, 9)), "image/png")).body.code).toBe("avatar_missing");
    expect((await upload("{}", "application/json")).body.code).toBe("avatar_missing");
    expect((await upload("nonsense", "multipart/form-data; boundary=x")).body.code).toBe("avatar_missing");
    expect((await node.call("PUT /api/profile/avatar", { as: "viewer" })).body.code).toBe("avatar_missing");
  });
});

test("whoever leaves while others have their turn costs nothing", async () => {
  const [first, second] = [new AbortController(), new AbortController()];
  const picture = new Uint8Array(gradient(300, 300));
  const works = renderAvatar(picture, first.signal);
  const waits = renderAvatar(picture, second.signal);
  second.abort();
  expect(await waits.catch(({ code }) => code)).toBe("avatar_sender_left");
  expect(decodePng(await works).width).toBe(256);
});

test("an account sends twenty pictures in ten minutes, whatever comes of them, and may go on then", async () => {
  for (let at = 0; at < 20; at += 1) expect((await put(Buffer.from("x"))).status).toBe(400);
  const { status, body } = await put(gradient(9, 9));
  expect([status, body.code]).toEqual([429, "too_many_requests"]);
  await node.clock.advance(minutes(10));
  expect((await put(gradient(9, 9))).status).toBe(200);
});

test("strangers cannot upload, and odd names are not found", async () => {
  expect((await node.call("PUT /api/profile/avatar")).status).toBe(401);
  for (const name of ["x.png", `${"0".repeat(64)}.png`, `${"0".repeat(64)}`, "..%2f..%2fnode.key"]) {
    expect((await fetchAvatar(`/api/avatars/${name}`)).status).toBe(404);
  }
});

test("cutting takes the middle square and keeps every pixel", () => {
  const tall = cropSquare(decodePng(gradient(4, 10)));
  expect([tall.width, tall.height]).toEqual([4, 4]);
  expect(decodePng(encodePng(tall))).toEqual(tall);
});
