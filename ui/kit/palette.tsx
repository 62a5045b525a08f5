import { useId, useLayoutEffect, useRef, useState } from "preact/hooks";
import type { IconName } from "../icons/names.ts";
import { Icon, isIcon } from "./icon.tsx";
import { findBest } from "./match.ts";

/** Something that can be run by name. */
export interface Command {
  id: string;
  title: string;
  group: string;
  icon: IconName | string;
  /** Shown at the right, e.g. "g h". */
  keys?: string;
  /** More words to find it by. */
  words?: string;
  /** Beside the title, where that alone does not tell things apart. */
  detail?: string;
  /** The page that it opens and nothing else, by which it is found among those that were opened last. */
  path?: string;
  run: () => void;
}

const shownAtMost = 40;

interface CommandPaletteProps {
  /** What there is, in the order of an empty question. */
  commands: readonly Command[];
  /** What is found in another way than by name and stands below. */
  more?: readonly Command[];
  query: string;
  onQuery: (query: string) => void;
  /** True while somebody is still being asked. */
  busy?: boolean;
  /** Stands below the list, such as who has not answered. */
  note?: string | null;
  /** Told of what is run, before it is. */
  onRun?: (command: Command) => void;
  onClose: () => void;
}

/** The command palette: a native dialog with a combobox. Arrow keys choose, Enter runs, Escape closes. */
export function CommandPalette({
  commands,
  more = [],
  query,
  onQuery,
  busy = false,
  note = null,
  onRun,
  onClose,
}: CommandPaletteProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  // The id, because more commands may arrive and change the order while somebody chooses.
  const [chosen, choose] = useState<string | null>(null);
  const id = useId();
  // In a layout effect, so that keys pressed right after Ctrl+K reach the palette.
  useLayoutEffect(() => {
    const element = dialog.current;
    const before = document.activeElement;
    if (element !== null && !element.open) element.showModal();
    return () => {
      element?.close();
      if (before instanceof HTMLElement && before.isConnected) before.focus();
    };
  }, []);

  const found = [...findBest(commands, query, { most: shownAtMost, chosen }), ...more];
  const current = found.find(({ id: known }) => known === chosen) ?? found[0];
  const run = (command: Command | undefined): void => {
    if (command === undefined) return;
    onClose();
    onRun?.(command);
    command.run();
  };
  const onKey = (event: KeyboardEvent): void => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (event.key === "Enter") run(current);
    if (step === undefined || found.length === 0) return;
    event.preventDefault();
    const next = (found.findIndex(({ id: known }) => known === current?.id) + step + found.length) % found.length;
    choose(found[next]?.id ?? null);
    document.getElementById(`${id}-${next}`)?.scrollIntoView({ block: "nearest" });
  };
  return (
    <dialog
      ref={dialog}
      class="palette"
      aria-label="Search or run a command"
      onCancel={(event) => {
        event.preventDefault();
        onClose();
      }}
      onMouseDown={(event) => event.target === event.currentTarget && onClose()}
    >
      <div class="q">
        <Icon name="search" />
        <input
          type="text"
          role="combobox"
          aria-expanded="true"
          aria-controls={`${id}-list`}
          aria-activedescendant={current === undefined ? undefined : `${id}-${found.indexOf(current)}`}
          aria-label="Search or run a command"
          placeholder="Search or run a command"
          autocomplete="off"
          spellcheck={false}
          value={query}
          onInput={(event) => {
            onQuery(event.currentTarget.value);
            choose(null);
          }}
          onKeyDown={onKey}
        />
      </div>
      <div id={`${id}-list`} class="menu" role="listbox" aria-label="Results">
        {found.map((command, index) => (
          <div
            key={command.id}
            id={`${id}-${index}`}
            role="option"
            tabIndex={-1}
            aria-selected={command === current}
            class={command === current ? "on" : ""}
            onMouseMove={() => choose(command.id)}
            onClick={() => run(command)}
            onKeyDown={onKey}
          >
            <Icon name={isIcon(command.icon) ? command.icon : "box"} />
            <span class="cut">
              {command.title}
              {command.detail !== undefined && <span class="detail">{command.detail}</span>}
            </span>
            <span class="group">{command.group}</span>
            {command.keys !== undefined && <kbd class="kbd">{command.keys}</kbd>}
          </div>
        ))}
        {found.length === 0 && <p class="none">{busy ? "Looking…" : `Nothing is called “${query}”.`}</p>}
      </div>
      {note !== null && (
        <p class="none" aria-hidden="true">
          {note}
        </p>
      )}
      <p class="sr" role="status">
        {busy ? "" : [found.length === 1 ? "1 result" : `${found.length} results`, note].filter(Boolean).join(". ")}
      </p>
    </dialog>
  );
}
