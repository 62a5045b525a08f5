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

interface JpegKind {
  /** The marker of the frame: 0xc0 baseline, 0xc2 progressive, 0xc3 lossless. */
  frame?: number;
  /** Sampling factors of each component, across in the upper four bits and down in the lower. */
  sampling?: number[];
  /** How many components the first scan has. */
  scanned?: number;
  /** Turned by a quarter, as its Exif data says. */
  turned?: boolean;
}

/** A JPEG that says it has this size and has no pixels: decoders make up all of them. */
export function emptyJpegOf(width: number, height: number, kind: JpegKind = {}): Uint8Array<ArrayBuffer> {
  const { frame = 0xc0, sampling = [0x11, 0x11, 0x11], scanned = sampling.length, turned = false } = kind;
  const segment = (marker: number, data: number[]) => [0xff, marker, 0, data.length + 2, ...data];
  const exif = [
    0x45, 0x78, 0x69, 0x66, 0, 0, 0x49, 0x49, 42, 0, 8, 0, 0, 0, 1, 0, 0x12, 1, 3, 0, 1, 0, 0, 0, 6, 0, 0, 0,
  ];
  const size = [height >> 8, height & 255, width >> 8, width & 255];
  const components = sampling.flatMap((factors, no) => [no + 1, factors, 0]);
  const firstScan = Array.from({ length: scanned }, (_, no) => [no + 1, 0]).flat();
  const spectrum = { [0xc0]: [0, 63, 0], [0xc3]: [1, 0, 0] }[frame] ?? [0, 0, 0];
  return new Uint8Array([
    ...[0xff, 0xd8],
    ...(turned ? segment(0xe1, [...exif, 0, 0, 0, 0]) : []),
    ...segment(0xdb, [0, ...Array.from({ length: 64 }, () => 1)]),
    ...segment(frame, [8, ...size, sampling.length, ...components]),
    ...[0x00, 0x10].flatMap((table) => segment(0xc4, [table, 1, ...Array.from({ length: 16 }, () => 0)])),
    ...segment(0xda, [scanned, ...firstScan, ...spectrum]),
    ...[0, 0, 0, 0, 0xff, 0xd9],
  ]);
}
