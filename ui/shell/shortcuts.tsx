import { Dialog } from "../kit/dialog.tsx";
import { Kbd } from "../kit/status.tsx";
import type { Key } from "./feature.ts";
import { isMac } from "./keys.ts";
import { menuOf, type Screen } from "./screens.ts";

/** The sheet of keys, opened by `?`. */
export function ShortcutSheet({
  screens,
  keys,
  onClose,
}: {
  screens: readonly Screen[];
  keys: readonly Key[];
  onClose: () => void;
}) {
  const rows = [
    { keys: [isMac() ? "⌘" : "Ctrl", "K"], what: "Search or run a command" },
    { keys: ["/"], what: "Search on this page" },
    ...keys.map(({ shown, what }) => ({ keys: shown, what })),
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
