import { useEffect, useRef } from "preact/hooks";
import { startStars } from "../kit/starfield.ts";

/** A slow sky behind the page, for those who asked for the most motion; none where the system asks for less. */
export function Stars() {
  const canvas = useRef<HTMLCanvasElement>(null);
  useEffect(() => {
    const wish = matchMedia("(prefers-reduced-motion: reduce)");
    let stop = () => {};
    const follow = (): void => {
      stop();
      stop = wish.matches || !canvas.current ? () => {} : startStars(canvas.current);
    };
    follow();
    wish.addEventListener("change", follow);
    return () => {
      stop();
      wish.removeEventListener("change", follow);
    };
  }, []);
  return <canvas ref={canvas} class="stars" />;
}
