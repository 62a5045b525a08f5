import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import { parseAnsi, stripAnsi } from "./ansi.ts";
import { Icon } from "./icon.tsx";

/** A line as the view draws it. */
export interface LogRow {
  /** Unique and rising. */
  key: number;
  time: string;
  level: "debug" | "info" | "warn" | "error" | null;
  text: string;
  source?: string;
  /** Where its time leads. */
  href?: string | null;
  /** True for a line that is only shown because it stands beside one that fits. */
  isAround?: boolean;
}

interface LogViewProps {
  rows: readonly LogRow[];
  label: string;
  /** Marked in the text. */
  find?: string;
  wrap?: boolean;
  follow: boolean;
  onFollow: (follow: boolean) => void;
  height?: number;
  /** The key of a line that is marked, and brought into view once. */
  target?: number | null;
}

const rowHeight = 20;
const spare = 24;
const tones = { debug: "", info: "info", warn: "warn", error: "crit" };

/**
 * A log that stays smooth with 100,000 lines: only what can be seen is in the page. Scrolling up pauses following and a pill counts what
 * came since; what is read then stays where it is, also when lines come or go above it. Wrapped lines have no fixed height, so wrapping
 * shows 1,000 only.
 */
export function LogView({
  rows,
  label,
  find = "",
  wrap = false,
  follow,
  onFollow,
  height = 320,
  target = null,
}: LogViewProps) {
  const box = useRef<HTMLDivElement>(null);
  const latest = useRef(rows);
  latest.current = rows;
  /** What is at the upper edge: the place in the list, and the key of what stands there. */
  const edge = useRef({ index: 0, key: rows[0]?.key ?? 0 });
  const [top, setTop] = useState(0);
  const newest = rows.at(-1)?.key ?? 0;
  const [seen, setSeen] = useState(newest);

  function noteEdge(element: HTMLDivElement): void {
    const index = Math.floor(element.scrollTop / rowHeight);
    edge.current = { index, key: latest.current[index]?.key ?? 0 };
    setTop(index);
  }

  useLayoutEffect(() => {
    const element = box.current;
    if (element === null) return;
    // Lines went above what is read, or came there.
    if (!follow && !wrap) element.scrollTop += (placeOf(rows, edge.current.key) - edge.current.index) * rowHeight;
    noteEdge(element);
  }, [rows]);

  useLayoutEffect(() => {
    const element = box.current;
    if (element === null || !follow) return;
    element.scrollTop = element.scrollHeight;
    // Nobody listens for scrolling yet when the first rows are many.
    noteEdge(element);
    setSeen(newest);
  }, [follow, newest, wrap, find]);

  useLayoutEffect(() => {
    const element = box.current;
    if (element === null || target === null) return;
    const index = rows.findIndex(({ key }) => key === target);
    const marked = element.querySelector<HTMLElement>(".is-hit");
    const place = wrap && marked !== null ? marked.offsetTop - element.offsetTop : index * rowHeight;
    element.scrollTop = Math.max(0, place - height / 2);
    noteEdge(element);
  }, [target, wrap]);

  useEffect(() => {
    const element = box.current;
    if (element === null) return;
    let lastTop = element.scrollTop;
    const onScroll = (): void => {
      const atEnd = element.scrollHeight - element.clientHeight - element.scrollTop < rowHeight;
      if (element.scrollTop < lastTop - 2 && !atEnd) onFollow(false);
      else if (atEnd) onFollow(true);
      lastTop = element.scrollTop;
      noteEdge(element);
    };
    element.addEventListener("scroll", onScroll, { passive: true });
    return () => element.removeEventListener("scroll", onScroll);
  }, [onFollow]);

  const end = follow ? rows.length : placeOf(rows, seen + 1);
  const missed = rows.length - end;
  const first = wrap ? Math.max(0, end - 1000) : Math.max(0, top - spare);
  const last = wrap ? end : Math.min(rows.length, top + Math.ceil(height / rowHeight) + spare);
  return (
    <div class="logwrap" style={{ height: `${height}px` }}>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard. */}
      <div ref={box} class={`log ${wrap ? "wrap" : ""}`} role="log" aria-live="off" aria-label={label} tabIndex={0}>
        <div class="pad" style={{ height: `${wrap ? 0 : first * rowHeight}px` }} />
        {rows.slice(first, last).map((row) => (
          <Line key={row.key} row={row} find={find} isTarget={row.key === target} />
        ))}
        <div class="pad" style={{ height: `${wrap ? 0 : (rows.length - last) * rowHeight}px` }} />
      </div>
      {missed > 0 && (
        <button type="button" class="pill" onClick={() => onFollow(true)}>
          <Icon name="arrow-down" class="s" />
          {missed.toLocaleString("en")} new {missed === 1 ? "line" : "lines"}
        </button>
      )}
    </div>
  );
}

/** Where a key stands in the list, or would stand: keys rise. */
function placeOf(rows: readonly LogRow[], key: number): number {
  let low = 0;
  let high = rows.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((rows[middle]?.key ?? 0) < key) low = middle + 1;
    else high = middle;
  }
  return low;
}

function Line({ row, find, isTarget }: { row: LogRow; find: string; isTarget: boolean }) {
  return (
    <div class={`ln-row ${isTarget ? "is-hit" : ""} ${row.isAround === true ? "is-around" : ""}`}>
      <span class="ts">
        {row.href === undefined || row.href === null ? (
          row.time
        ) : (
          <a href={row.href} tabIndex={-1}>
            {row.time}
          </a>
        )}
      </span>
      <span class={`lv ${row.level === null ? "" : tones[row.level]}`}>{row.level ?? ""}</span>
      <span class="msg">
        {row.source !== undefined && row.source !== "" && <span class="src">{row.source} </span>}
        {find === "" ? (
          parseAnsi(row.text).map((span, index) => (
            <span key={index} class={span.class}>
              {span.text}
            </span>
          ))
        ) : (
          <Marked text={stripAnsi(row.text)} find={find} />
        )}
      </span>
    </div>
  );
}

function Marked({ text, find }: { text: string; find: string }) {
  const parts = text.toLowerCase().split(find.toLowerCase());
  let at = 0;
  return (
    <>
      {parts.map((part, index) => {
        const before = text.slice(at, at + part.length);
        const hit = index < parts.length - 1 ? text.slice(at + part.length, at + part.length + find.length) : "";
        at += part.length + find.length;
        return (
          <span key={index}>
            {before}
            {hit !== "" && <mark>{hit}</mark>}
          </span>
        );
      })}
    </>
  );
}
