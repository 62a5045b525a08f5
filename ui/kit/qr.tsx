import { encode } from "uqr";

/** A QR code as one SVG path, always dark on white, because scanners want it so. */
export function Qr({ text, label }: { text: string; label: string }) {
  const { data, size } = encode(text, { ecc: "M", border: 0 });
  let path = "";
  for (const [y, row] of data.entries()) for (const [x, dark] of row.entries()) if (dark) path += `M${x} ${y}h1v1h-1z`;
  return (
    <svg
      class="qrcode"
      viewBox={`-2 -2 ${size + 4} ${size + 4}`}
      shape-rendering="crispEdges"
      role="img"
      aria-label={label}
    >
      <path d={path} />
    </svg>
  );
}
