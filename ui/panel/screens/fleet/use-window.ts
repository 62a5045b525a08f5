import { useCallback, useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import { type RowWindow, reveal, type Scrolled, windowOf } from "./window.ts";

/** The part of a list in view, and a way to bring a row into it. */
export interface ListWindow extends RowWindow {
  rowHeight: number;
  /** Goes on the element whose upper edge is the first row's. */
  ref: { current: HTMLElement | null };
  show: (row: number) => void;
}

/** What sticks above and below the rows: the bar of the page and the head of the table. */
const [headRoom, footRoom] = [90, 72];

/** Follows the scrolling of the page: which of `total` rows to draw. The height of a row is the CSS property `--row-h`. */
export function useWindow(total: number): ListWindow {
  const ref = useRef<HTMLElement | null>(null);
  const [rowHeight, setRowHeight] = useState(34);
  const read = useCallback(
    (): Scrolled => ({
      top: -(ref.current?.getBoundingClientRect().top ?? 0),
      height: innerHeight,
      rowHeight,
      total,
    }),
    [rowHeight, total],
  );
  const [shown, setShown] = useState(() => windowOf({ top: 0, height: innerHeight, rowHeight, total }));
  const update = useCallback(() => {
    const next = windowOf(read());
    setShown((now) => (sameWindow(now, next) ? now : next));
  }, [read]);

  useLayoutEffect(() => {
    const measure = (): void => {
      const height = ref.current === null ? "" : getComputedStyle(ref.current).getPropertyValue("--row-h");
      setRowHeight(Number.parseFloat(height) || 34);
    };
    measure();
    addEventListener("resize", measure);
    const looks = new MutationObserver(measure);
    looks.observe(document.documentElement, { attributeFilter: ["data-density"] });
    return () => {
      removeEventListener("resize", measure);
      looks.disconnect();
    };
  }, []);
  useLayoutEffect(update, [update]);
  useEffect(() => {
    addEventListener("scroll", update, { passive: true });
    addEventListener("resize", update);
    return () => {
      removeEventListener("scroll", update);
      removeEventListener("resize", update);
    };
  }, [update]);
  const show = (row: number): void => {
    const at = read();
    const by = reveal(row, { ...at, height: at.height - footRoom }, headRoom);
    if (by !== 0) scrollBy({ top: by, behavior: "instant" });
  };
  return { ...shown, rowHeight, ref, show };
}

function sameWindow(one: RowWindow, other: RowWindow): boolean {
  return one.first === other.first && one.end === other.end && one.above === other.above && one.below === other.below;
}
