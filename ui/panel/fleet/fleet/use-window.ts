import { useCallback, useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import { type RowWindow, reveal, type Scrolled, windowOf } from "./window.ts";

/** The part of a list in view, and a way to bring a row into it. */
export interface ListWindow extends RowWindow {
  rowHeight: number;
  /** Height of what stands above the first row. */
  headHeight: number;
  /** Goes on the element that is as high as the whole list and its head. */
  ref: { current: HTMLDivElement | null };
  show: (row: number) => void;
}

/** What sticks above and below the rows: the bar of the page and the head of the table. */
const [headRoom, footRoom] = [90, 72];

/** Follows the scrolling of the page: which of `total` rows to draw. The height of a row is the CSS property `--row-h`. */
export function useWindow(total: number): ListWindow {
  const ref = useRef<HTMLDivElement | null>(null);
  const [{ rowHeight, headHeight }, setSizes] = useState({ rowHeight: 34, headHeight: 33 });
  const read = useCallback(
    (): Scrolled => ({
      top: -(ref.current?.getBoundingClientRect().top ?? 0) - headHeight,
      height: innerHeight,
      rowHeight,
      total,
    }),
    [rowHeight, headHeight, total],
  );
  const [shown, setShown] = useState(() => windowOf({ top: 0, height: innerHeight, rowHeight, total }));
  const update = useCallback(() => {
    const next = windowOf(read());
    setShown((now) => (sameWindow(now, next) ? now : next));
  }, [read]);

  useLayoutEffect(() => {
    const measure = (): void => {
      const { current } = ref;
      if (current === null) return;
      const height = Number.parseFloat(getComputedStyle(current).getPropertyValue("--row-h")) || 34;
      const head = current.querySelector("thead")?.offsetHeight ?? 0;
      setSizes((now) =>
        now.rowHeight === height && now.headHeight === head ? now : { rowHeight: height, headHeight: head },
      );
    };
    measure();
    addEventListener("resize", measure);
    const looks = new MutationObserver(measure);
    looks.observe(document.documentElement, { attributeFilter: ["data-density"] });
    return () => {
      removeEventListener("resize", measure);
      looks.disconnect();
    };
  }, [total > 0]);
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
  return { ...shown, rowHeight, headHeight, ref, show };
}

function sameWindow(one: RowWindow, other: RowWindow): boolean {
  return one.first === other.first && one.end === other.end && one.above === other.above && one.below === other.below;
}
