import { useEffect, useRef } from "preact/hooks";

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
  // On a phone the row is longer than the window: the open tab must not be out of sight.
  useEffect(() => {
    const open = row.current?.querySelector("[aria-current]")?.getBoundingClientRect();
    const shown = row.current?.getBoundingClientRect();
    if (row.current && open && shown) row.current.scrollLeft += open.left - shown.left - (shown.width - open.width) / 2;
  }, [current]);
  return (
    <nav class="tabs" aria-label={label} ref={row}>
      {tabs.map((tab) => (
        <a key={tab.id} href={tab.href} aria-current={tab.id === current ? "page" : undefined}>
          {tab.label}
        </a>
      ))}
    </nav>
  );
}
