import type { ComponentChildren } from "preact";
import { useRef, useState } from "preact/hooks";
import { recall, store } from "../../client/preferences.ts";
import { Button } from "../../kit/button.tsx";
import { Banner } from "../../kit/card.tsx";
import { Checkbox } from "../../kit/choice.tsx";
import { Kbd } from "../../kit/status.tsx";
import type { Connect } from "./connection.ts";
import { TerminalPane } from "./terminal-pane.tsx";

/** So many terminals may be open in the name of one user. */
const LIMIT = 5;
const KEPT = "orrery.terminal";

interface Tab {
  id: number;
  /** What it runs on, where there is a choice. */
  title: string;
  connect: Connect;
}

/** What a place of terminals opens: the name of it, and how. */
export interface Place {
  title: string;
  connect: Connect;
}

/**
 * Terminals side by side, of which one is shown; the first opens at once where `first` says so. `children` stands beside the button for
 * another one, and `form` below a terminal that has ended.
 */
export function TerminalTabs({
  place,
  opensAtOnce = true,
  children,
  form,
}: {
  place: Place;
  opensAtOnce?: boolean;
  children?: ComponentChildren;
  form?: ComponentChildren;
}) {
  const next = useRef(2);
  const row = useRef<HTMLDivElement>(null);
  const [tabs, setTabs] = useState<Tab[]>(opensAtOnce ? [{ id: 1, ...place }] : []);
  const [shown, show] = useState(1);
  const [isReadable, setReadable] = useState(recall(KEPT)["readable"] === true);
  const add = (): void => {
    const id = next.current;
    next.current += 1;
    setTabs((all) => [...all, { id, ...place }]);
    show(id);
  };
  const remove = (id: number): void => {
    const at = tabs.findIndex((tab) => tab.id === id);
    const rest = tabs.filter((tab) => tab.id !== id);
    setTabs(rest);
    const neighbour = rest[Math.min(at, rest.length - 1)];
    if (id === shown && neighbour !== undefined) show(neighbour.id);
    row.current?.querySelector<HTMLElement>("button")?.focus();
  };
  const step = (event: KeyboardEvent): void => {
    const by = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    if (by === undefined) return;
    event.preventDefault();
    const at = tabs.findIndex((tab) => tab.id === shown);
    const other = tabs[(at + by + tabs.length) % tabs.length];
    if (other === undefined) return;
    show(other.id);
    row.current?.querySelector<HTMLElement>(`#terminal-${other.id}`)?.focus();
  };
  const leave = (): void => row.current?.querySelector<HTMLElement>('[aria-selected="true"]')?.focus();
  const nameOf = ({ title }: Tab, at: number): string => `${at + 1} · ${title}`;
  return (
    <section class="card termcard" aria-label="Terminals">
      <div class="termbar" ref={row}>
        <div class="termtabs" role="tablist" aria-label="Open terminals" hidden={tabs.length === 0} onKeyDown={step}>
          {tabs.map((tab, at) => (
            <button
              key={tab.id}
              type="button"
              role="tab"
              class="termtab cut"
              id={`terminal-${tab.id}`}
              aria-selected={tab.id === shown}
              tabIndex={tab.id === shown ? 0 : -1}
              title={nameOf(tab, at)}
              onClick={() => show(tab.id)}
            >
              {nameOf(tab, at)}
            </button>
          ))}
        </div>
        {tabs.length > 0 && (
          <Button size="sm" icon="x" onClick={() => remove(shown)}>
            Close
          </Button>
        )}
        {children}
        <Button
          size="sm"
          icon="plus"
          {...(tabs.length === 0 ? { kind: "primary" as const } : {})}
          disabled={tabs.length >= LIMIT}
          onClick={add}
        >
          {tabs.length === 0 ? "Open" : "Another"}
        </Button>
        <span class="c3 t12 no-sm">
          <Kbd>Shift</Kbd> <Kbd>F6</Kbd> leaves the terminal
        </span>
        <span class="push">
          <Checkbox
            checked={isReadable}
            onChecked={(is) => {
              store(KEPT, JSON.stringify({ readable: is }));
              setReadable(is);
            }}
          >
            For screen readers
          </Checkbox>
        </span>
      </div>
      {tabs.length >= LIMIT && (
        <Banner state="info">{`${LIMIT} terminals are the most. Close one to open another.`}</Banner>
      )}
      {tabs.map((tab) => (
        <TerminalPane
          key={tab.id}
          tab={`terminal-${tab.id}`}
          label={`Terminal in ${tab.title}`}
          connect={tab.connect}
          reconnect={place.connect}
          isShown={tab.id === shown}
          isReadable={isReadable}
          form={form}
          onLeave={leave}
        />
      ))}
    </section>
  );
}
