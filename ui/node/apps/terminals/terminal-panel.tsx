import { useEffect, useRef, useState } from "preact/hooks";
import { recall, store } from "../../../client/preferences.ts";
import { Button } from "../../../kit/button.tsx";
import { Banner } from "../../../kit/card.tsx";
import { Checkbox } from "../../../kit/choice.tsx";
import { Input } from "../../../kit/field.tsx";
import { Kbd } from "../../../kit/status.tsx";
import { splitCommand } from "./split-command.ts";
import { useTerminal, type Wish } from "./use-terminal.ts";

/** Keys that phones do not have, and what they send. */
const keys: { label: string; name: string; sends: string }[] = [
  { label: "Esc", name: "Escape", sends: "\u001b" },
  { label: "Tab", name: "Tab", sends: "\t" },
  { label: "^C", name: "Control C", sends: "\u0003" },
  { label: "^D", name: "Control D", sends: "\u0004" },
  { label: "↑", name: "Up", sends: "\u001b[A" },
  { label: "↓", name: "Down", sends: "\u001b[B" },
  { label: "←", name: "Left", sends: "\u001b[D" },
  { label: "→", name: "Right", sends: "\u001b[C" },
  { label: "|", name: "Bar", sends: "|" },
  { label: "/", name: "Slash", sends: "/" },
  { label: "-", name: "Dash", sends: "-" },
  { label: "~", name: "Tilde", sends: "~" },
];

const kept = "orrery.terminal";

/** A terminal on a shell in a container, opened at once. */
export function TerminalPanel({ container, name }: { container: string; name: string }) {
  const host = useRef<HTMLDivElement>(null);
  const bar = useRef<HTMLDivElement>(null);
  const [user, setUser] = useState("");
  const [command, setCommand] = useState("");
  const [readable, setReadable] = useState(recall(kept)["readable"] === true);
  const leave = (): void => bar.current?.querySelector("button")?.focus();
  const terminal = useTerminal(host, { container, label: `Terminal in ${name}`, onLeave: leave });
  const { is, words } = terminal.state;
  const parts = splitCommand(command);
  const open = (): void => {
    const wish: Wish = {};
    if (parts !== null && parts.length > 0) wish.command = parts;
    if (user.trim() !== "") wish.user = user.trim();
    terminal.open(wish);
  };
  useEffect(() => terminal.open({}), [container]);
  useEffect(() => terminal.setReadable(readable), [readable]);
  return (
    <section class="card termcard" aria-label="Terminal">
      <div class="termbar" ref={bar}>
        {is === "over" ? (
          <Button kind="primary" size="sm" icon="terminal" disabled={parts === null} onClick={open}>
            Open again
          </Button>
        ) : (
          <Button size="sm" icon="x" busy={is === "opening"} onClick={terminal.close}>
            {is === "opening" ? "Opening" : "Close"}
          </Button>
        )}
        <span class="c3 t12 no-sm">
          <Kbd>Shift</Kbd> <Kbd>F6</Kbd> leaves the terminal
        </span>
        <span class="push">
          <Checkbox
            checked={readable}
            onChecked={(next) => {
              store(kept, JSON.stringify({ readable: next }));
              setReadable(next);
            }}
          >
            For screen readers
          </Checkbox>
        </span>
      </div>
      {words !== null && <Banner state={is === "over" ? "info" : "warn"}>{words}</Banner>}
      {is === "over" && (
        <div class="termform">
          <Input
            label="Command"
            value={command}
            onValue={setCommand}
            autocapitalize="off"
            spellcheck={false}
            hint="Left empty: bash, else sh"
            error={parts === null ? "A quote is not closed." : null}
          />
          <Input
            label="User in the container"
            value={user}
            onValue={setUser}
            autocapitalize="off"
            spellcheck={false}
            hint="Left empty: the container's own"
          />
        </div>
      )}
      <div class="termhost" ref={host} />
      <div class="termkeys" role="toolbar" aria-label="Keys">
        {keys.map(({ label, name: spoken, sends }) => (
          <button
            key={label}
            type="button"
            class="btn sm"
            aria-label={spoken}
            disabled={is !== "open"}
            onClick={() => terminal.type(sends)}
          >
            {label}
          </button>
        ))}
      </div>
    </section>
  );
}
