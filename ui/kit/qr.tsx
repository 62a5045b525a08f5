import { useEffect, useState } from "preact/hooks";

/** Squares of the codes that addresses of this program make, so that the picture has its size before it is drawn. */
const usualSize = 33;

/** A QR code as one SVG path, always dark on white, because scanners want it so. What draws it loads with the first one. */
export function Qr({ text, label }: { text: string; label: string }) {
  const [drawn, setDrawn] = useState<{ text: string; path: string; size: number } | null>(null);
  useEffect(() => {
    let isGone = false;
    import("./qr-path.ts").then(
      ({ qrPath }) => isGone || setDrawn({ text, ...qrPath(text) }),
      // Without the picture there is the text beside it.
      () => {},
    );
    return () => {
      isGone = true;
    };
  }, [text]);
  const size = drawn?.size ?? usualSize;
  return (
    <svg
      class="qrcode"
      viewBox={`-2 -2 ${size + 4} ${size + 4}`}
      shape-rendering="crispEdges"
      role="img"
      aria-label={label}
    >
      {drawn?.text === text && <path d={drawn.path} />}
    </svg>
  );
}
