import { crc32, deflateSync, inflateSync } from "node:zlib";

const SIGNATURE = Buffer.from([137, 80, 78, 71, 13, 10, 26, 10]);
const BYTES_PER_PIXEL = 4;

/** Pixels of a picture, 8-bit RGBA, row by row without padding. */
export interface Pixels {
  width: number;
  height: number;
  data: Buffer;
}

/** Predictor of PNG filter 4: whichever neighbour is closest to their gradient (PNG specification, §9.4). */
function paeth(left: number, above: number, corner: number): number {
  const estimate = left + above - corner;
  const byLeft = Math.abs(estimate - left);
  const byAbove = Math.abs(estimate - above);
  const byCorner = Math.abs(estimate - corner);
  if (byLeft <= byAbove && byLeft <= byCorner) return left;
  return byAbove <= byCorner ? above : corner;
}

function predict(filter: number, left: number, above: number, corner: number): number {
  switch (filter) {
    case 0:
      return 0;
    case 1:
      return left;
    case 2:
      return above;
    case 3:
      return (left + above) >> 1;
    case 4:
      return paeth(left, above, corner);
    default:
      throw new Error(`PNG filter ${filter} does not exist`);
  }
}

/** Decodes a PNG as our own encoder writes it: 8-bit RGBA, not interlaced. Throws on anything else. */
export function decodePng(png: Buffer): Pixels {
  const parts: Buffer[] = [];
  let header: Buffer | null = null;
  for (let at = SIGNATURE.length; at + 12 <= png.length; ) {
    const length = png.readUInt32BE(at);
    const type = png.toString("latin1", at + 4, at + 8);
    const body = png.subarray(at + 8, at + 8 + length);
    if (type === "IHDR") header = body;
    if (type === "IDAT") parts.push(body);
    at += length + 12;
  }
  if (header?.[8] !== 8 || header[9] !== 6 || header[12] !== 0) throw new Error("not a plain RGBA PNG");
  const width = header.readUInt32BE(0);
  const height = header.readUInt32BE(4);
  return { width, height, data: unfilter(inflateSync(Buffer.concat(parts)), width, height) };
}

function unfilter(raw: Buffer, width: number, height: number): Buffer {
  const stride = width * BYTES_PER_PIXEL;
  const data = Buffer.alloc(stride * height);
  for (let y = 0; y < height; y++) {
    const filter = raw[y * (stride + 1)] ?? 0;
    for (let x = 0; x < stride; x++) {
      const at = y * stride + x;
      const left = x < BYTES_PER_PIXEL ? 0 : (data[at - BYTES_PER_PIXEL] ?? 0);
      const above = y === 0 ? 0 : (data[at - stride] ?? 0);
      const corner = y === 0 || x < BYTES_PER_PIXEL ? 0 : (data[at - stride - BYTES_PER_PIXEL] ?? 0);
      data[at] = (raw[y * (stride + 1) + 1 + x] ?? 0) + predict(filter, left, above, corner);
    }
  }
  return data;
}

/** The largest square in the middle. */
export function cropSquare({ width, height, data }: Pixels): Pixels {
  const side = Math.min(width, height);
  const left = (width - side) >> 1;
  const top = (height - side) >> 1;
  const rows = Array.from({ length: side }, (_, y) => {
    const start = ((top + y) * width + left) * BYTES_PER_PIXEL;
    return data.subarray(start, start + side * BYTES_PER_PIXEL);
  });
  return { width: side, height: side, data: Buffer.concat(rows) };
}

function chunk(type: string, body: Buffer): Buffer {
  const content = Buffer.concat([Buffer.from(type, "latin1"), body]);
  const length = Buffer.alloc(4);
  length.writeUInt32BE(body.length);
  const check = Buffer.alloc(4);
  check.writeUInt32BE(crc32(content));
  return Buffer.concat([length, content, check]);
}

/** Encodes pixels as a PNG that carries nothing but them. */
export function encodePng({ width, height, data }: Pixels): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header[8] = 8;
  header[9] = 6;
  const stride = width * BYTES_PER_PIXEL;
  const rows = Array.from({ length: height }, (_, y) => [
    Buffer.from([0]),
    data.subarray(y * stride, (y + 1) * stride),
  ]).flat();
  return Buffer.concat([
    SIGNATURE,
    chunk("IHDR", header),
    chunk("IDAT", deflateSync(Buffer.concat(rows))),
    chunk("IEND", Buffer.alloc(0)),
  ]);
}
