import { Dialog } from "../kit/dialog.tsx";
import { Kbd } from "../kit/status.tsx";
import { isMac } from "./keys.ts";
import { menuOf, type Screen } from "./screens.ts";

/** A line of the sheet: keys, and what they do. */
export interface ShortcutRow {
  keys: string[];
  what: string;
}

/** The sheet of keys, opened by `?`. */
export function ShortcutSheet({
  screens,
  more = [],
  onClose,
}: {
  screens: readonly Screen[];
  more?: ShortcutRow[] | undefined;
  onClose: () => void;
}) {
  const rows: ShortcutRow[] = [
    { keys: [isMac() ? "⌘" : "Ctrl", "K"], what: "Search or run a command" },
    { keys: ["/"], what: "Search on this page" },
    ...more,
    { keys: ["?"], what: "This sheet" },
    { keys: ["Esc"], what: "Close what is on top" },
    ...menuOf(screens).map(({ nav, title }) => ({ keys: ["g", nav.key], what: title })),
  ];
  return (
    <Dialog title="Keyboard" onClose={onClose} width="sm">
      <dl class="keysheet">
        {rows.map((row) => (
          <div key={row.what}>
            <dt>{row.what}</dt>
            <dd>
              {row.keys.map((key) => (
                <Kbd key={key}>{key}</Kbd>
              ))}
            </dd>
          </div>
        ))}
      </dl>
    </Dialog>
  );
}
