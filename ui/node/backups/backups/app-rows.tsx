import type { ComponentChildren } from "preact";

/** So many apps are read at a glance; more would push away what the page is for. */
const AT_A_GLANCE = 3;

/** A row for each app. Where they are many, a line sums them up and unfolds them. */
export function AppRows({
  of,
  words,
  isOpen,
  children,
}: {
  of: readonly unknown[];
  words: string;
  /** True where a row has something that must be seen. */
  isOpen: boolean;
  children: ComponentChildren;
}) {
  if (of.length <= AT_A_GLANCE) return <div class="rows">{children}</div>;
  return (
    <details class="backupapps" open={isOpen}>
      <summary class="t13">{words}</summary>
      <div class="rows">{children}</div>
    </details>
  );
}
