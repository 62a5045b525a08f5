/** Sampling factors of the first component and of the two for colour with which the decoder makes a JPEG smaller while it reads it. */
const SCALED = new Set([0x1111, 0x2111, 0x1211, 0x2211, 0x4111, 0x1411, 0x2212, 0x2221]);

interface Head {
  width: number;
  height: number;
  /** Sampling factors of each component, across in the upper four bits and down in the lower. */
  sampling: number[];
  isLossless: boolean;
  /** The first scan is all there is, so that a row can be forgotten once it is read. */
  isOneScan: boolean;
}

/** What a JPEG says before its first scan, read as libjpeg does; null where it would give up, too. */
function readHead(jpeg: Uint8Array): Head | null {
  const view = new DataView(jpeg.buffer, jpeg.byteOffset, jpeg.byteLength);
  let frame: (Omit<Head, "isOneScan"> & { isProgressive: boolean }) | null = null;
  for (let at = jpeg.indexOf(0xff, 2); at >= 0; at = jpeg.indexOf(0xff, at)) {
    while (jpeg[at] === 0xff) at++;
    const marker = jpeg[at++] ?? 0;
    // A zero is no marker, and these have no length: TEM, the restarts.
    if (marker === 0 || marker === 0x01 || (marker >= 0xd0 && marker <= 0xd7)) continue;
    if (marker === 0xd8 || marker === 0xd9 || at + 8 > jpeg.length) return null;
    if (marker === 0xda) {
      if (frame === null) return null;
      return { ...frame, isOneScan: !frame.isProgressive && jpeg[at + 2] === frame.sampling.length };
    }
    const isFrame = marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc;
    if (isFrame) {
      const sampling = Array.from({ length: jpeg[at + 7] ?? 0 }, (_, no) => jpeg[at + 9 + 3 * no] ?? 0);
      if (frame !== null || sampling.length === 0 || sampling.some((one) => one >> 4 === 0 || (one & 15) === 0))
        return null;
      frame = {
        height: view.getUint16(at + 3),
        width: view.getUint16(at + 5),
        sampling,
        isLossless: (marker & 3) === 3,
        isProgressive: (marker & 3) === 2,
      };
    }
    at += Math.max(2, view.getUint16(at));
  }
  return null;
}

/**
 * The most that a decoder holds of a JPEG that is to be made smaller, its longest side `side`, beside a few rows: nothing of an ordinary
 * one, every coefficient of one that goes over its pixels more than once, and all pixels, twice where they are turned, of one
 * that it cannot make smaller while it reads it.
 */
export function heldJpegBytes(jpeg: Uint8Array, side: number): number {
  const head = readHead(jpeg);
  if (head === null) return Number.POSITIVE_INFINITY;
  const { width, height, sampling, isLossless, isOneScan } = head;
  const across = Math.max(...sampling.map((one) => one >> 4));
  const down = Math.max(...sampling.map((one) => one & 15));
  const coefficients = sampling.reduce((sum, one) => sum + ((one >> 4) * (one & 15)) / (across * down), 0);
  const [luma = 0, blue = 0x11, red = blue, black = luma] = sampling;
  const isOrdinary = sampling.length === 1 || (SCALED.has((luma << 8) | blue) && red === blue && black === luma);
  const isScaled = isOrdinary && !isLossless && Math.min(width, height) >= 2 * side;
  return width * height * ((isOneScan ? 0 : 2 * coefficients) + (isScaled ? 0 : 8));
}
