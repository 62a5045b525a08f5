import { Dialog } from "../../kit/dialog.tsx";
import { Kbd } from "../../kit/status.tsx";
import { screens } from "../screens.ts";
import { isMac } from "./top-bar.tsx";

/** The sheet of keys, opened by `?`. */
export function ShortcutSheet({ onClose }: { onClose: () => void }) {
  const go = screens.flatMap((screen) =>
    screen.nav === undefined ? [] : [{ keys: ["g", screen.nav.key], what: screen.title }],
  );
  const rows = [
    { keys: [isMac() ? "⌘" : "Ctrl", "K"], what: "Search or run a command" },
    { keys: ["/"], what: "Search on this page" },
    { keys: ["Shift", "L"], what: "Lock" },
    { keys: ["?"], what: "This sheet" },
    { keys: ["Esc"], what: "Close what is on top" },
    ...go,
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
