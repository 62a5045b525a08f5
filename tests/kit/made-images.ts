import { deflateSync } from "node:zlib";

function chunk(type: string, data: Uint8Array): Buffer {
  const whole = Buffer.alloc(12 + data.length);
  whole.writeUInt32BE(data.length, 0);
  whole.write(type, 4, "latin1");
  whole.set(data, 8);
  whole.writeUInt32BE(Bun.hash.crc32(whole.subarray(4, 8 + data.length)), 8 + data.length);
  return whole;
}

/** A PNG of one colour that says it has this size; of its rows only the first `rows` are there. */
export function pngOf(width: number, height: number, [red, green, blue] = [90, 120, 200], rows = height) {
  const head = Buffer.alloc(13);
  head.writeUInt32BE(width, 0);
  head.writeUInt32BE(height, 4);
  head.set([8, 2], 8);
  const row = Buffer.alloc(width * 3 + 1);
  for (let at = 1; at < row.length; at += 3) row.set([red ?? 0, green ?? 0, blue ?? 0], at);
  const pixels = deflateSync(Buffer.concat(Array.from({ length: rows }, () => row)));
  return wrap(head, pixels);
}

/** A black PNG of one bit for each pixel, so that very many of them are few bytes. */
export function blackPngOf(width: number, height: number): Uint8Array<ArrayBuffer> {
  const head = Buffer.alloc(13);
  head.writeUInt32BE(width, 0);
  head.writeUInt32BE(height, 4);
  head.set([1, 0], 8);
  return wrap(head, deflateSync(Buffer.alloc((Math.ceil(width / 8) + 1) * height)));
}

function wrap(head: Buffer, pixels: Buffer): Uint8Array<ArrayBuffer> {
  const marks = Buffer.from("\x89PNG\r\n\x1a\n", "latin1");
  const parts = [marks, chunk("IHDR", head), chunk("IDAT", pixels), chunk("IEND", Buffer.alloc(0))];
  return new Uint8Array(Buffer.concat(parts));
}
