/** A colour in OKLCH: lightness 0..1, chroma, hue in radians. */
export interface Oklch {
  l: number;
  c: number;
  h: number;
}

type Triple = [number, number, number];

/** Reads `#RRGGBB` or `#RGB`; throws on anything else. */
export function parseHex(hex: string): Triple {
  const long = hex.length === 4 ? hex.replace(/[0-9a-f]/gi, "$&$&") : hex;
  const match = /^#([0-9a-f]{2})([0-9a-f]{2})([0-9a-f]{2})$/i.exec(long);
  if (match === null) throw new Error(`not a colour: ${hex}`);
  const part = (index: number): number => Number.parseInt(match[index] ?? "0", 16) / 255;
  return [part(1), part(2), part(3)];
}

function toHex(rgb: Triple): string {
  const part = (value: number): string =>
    Math.round(Math.min(1, Math.max(0, value)) * 255)
      .toString(16)
      .padStart(2, "0");
  return `#${rgb.map(part).join("")}`;
}

const linear = (value: number): number => (value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4);
const gamma = (value: number): number =>
  value <= 0.0031308 ? value * 12.92 : 1.055 * Math.max(0, value) ** (1 / 2.4) - 0.055;

/** Hex to OKLCH, with the matrices of Björn Ottosson's OKLab. */
export function toOklch(hex: string): Oklch {
  const [r, g, b] = parseHex(hex);
  const [lr, lg, lb] = [linear(r), linear(g), linear(b)];
  const l = Math.cbrt(0.4122214708 * lr + 0.5363325363 * lg + 0.0514459929 * lb);
  const m = Math.cbrt(0.2119034982 * lr + 0.6806995451 * lg + 0.1073969566 * lb);
  const s = Math.cbrt(0.0883024619 * lr + 0.2817188376 * lg + 0.6299787005 * lb);
  const a = 1.9779984951 * l - 2.428592205 * m + 0.4505937099 * s;
  const bb = 0.0259040371 * l + 0.7827717662 * m - 0.808675766 * s;
  return { l: 0.2104542553 * l + 0.793617785 * m - 0.0040720468 * s, c: Math.hypot(a, bb), h: Math.atan2(bb, a) };
}

function toLinearRgb({ l, c, h }: Oklch): Triple {
  const a = c * Math.cos(h);
  const b = c * Math.sin(h);
  const lms: Triple = [
    (l + 0.3963377774 * a + 0.2158037573 * b) ** 3,
    (l - 0.1055613458 * a - 0.0638541728 * b) ** 3,
    (l - 0.0894841775 * a - 1.291485548 * b) ** 3,
  ];
  return [
    4.0767416621 * lms[0] - 3.3077115913 * lms[1] + 0.2309699292 * lms[2],
    -1.2684380046 * lms[0] + 2.6097574011 * lms[1] - 0.3413193965 * lms[2],
    -0.0041960863 * lms[0] - 0.7034186147 * lms[1] + 1.707614701 * lms[2],
  ];
}

/** OKLCH to hex; keeps hue and lightness and lowers the chroma until the colour exists in sRGB. */
export function fromOklch(colour: Oklch): string {
  let low = 0;
  let high = colour.c;
  let rgb = toLinearRgb(colour);
  if (!inGamut(rgb)) {
    for (let step = 0; step < 14; step += 1) {
      const middle = (low + high) / 2;
      if (inGamut(toLinearRgb({ ...colour, c: middle }))) low = middle;
      else high = middle;
    }
    rgb = toLinearRgb({ ...colour, c: low });
  }
  return toHex([gamma(rgb[0]), gamma(rgb[1]), gamma(rgb[2])]);
}

function inGamut(rgb: Triple): boolean {
  return rgb.every((value) => value >= -0.0005 && value <= 1.0005);
}

/** WCAG contrast of two colours, 1 to 21. */
export function contrast(one: string, two: string): number {
  const [a, b] = [luminance(one), luminance(two)];
  return (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
}

function luminance(hex: string): number {
  const [r, g, b] = parseHex(hex);
  return 0.2126 * linear(r) + 0.7152 * linear(g) + 0.0722 * linear(b);
}
