import { useLayoutEffect, useRef } from "preact/hooks";

/** Tabs as links: the address holds which one is open. */
export function Tabs({
  label,
  tabs,
  current,
}: {
  label: string;
  tabs: { id: string; label: string; href: string }[];
  current: string;
}) {
  const row = useRef<HTMLElement>(null);
  // On a phone the row is longer than the window: the open tab must not be out of sight, also after the window was turned.
  useLayoutEffect(() => {
    const observer = new ResizeObserver(() => {
      if (row.current !== null) showOpen(row.current);
    });
    if (row.current !== null) observer.observe(row.current);
    return () => observer.disconnect();
  }, [current, tabs.length]);
  return (
    <nav class="tabs" aria-label={label} ref={row} onScroll={(event) => markEdges(event.currentTarget)}>
      {tabs.map((tab) => (
        <a key={tab.id} href={tab.href} aria-current={tab.id === current ? "page" : undefined}>
          {tab.label}
        </a>
      ))}
    </nav>
  );
}

/** Brings the open tab into the middle of the row. */
function showOpen(row: HTMLElement): void {
  const open = row.querySelector("[aria-current]")?.getBoundingClientRect();
  const shown = row.getBoundingClientRect();
  if (open !== undefined) row.scrollLeft += open.left - shown.left - (shown.width - open.width) / 2;
  markEdges(row);
}

/** Says how far the ends of the row fade: there is more where they do. */
function markEdges(row: HTMLElement): void {
  const rest = row.scrollWidth - row.clientWidth - row.scrollLeft;
  row.style.setProperty("--before", `${Math.min(32, row.scrollLeft)}px`);
  row.style.setProperty("--after", `${Math.min(32, rest)}px`);
}
