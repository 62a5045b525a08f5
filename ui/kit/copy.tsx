import { useState } from "preact/hooks";
import { Button, IconButton } from "./button.tsx";
import { Checkbox } from "./choice.tsx";
import { useHold } from "./dialog.tsx";

/** Copies text, also on plain http where the clipboard API does not exist. False when the browser refused. */
export async function copyText(text: string): Promise<boolean> {
  if (window.isSecureContext && navigator.clipboard !== undefined) {
    return navigator.clipboard.writeText(text).then(
      () => true,
      () => copyBySelection(text),
    );
  }
  return copyBySelection(text);
}

function copyBySelection(text: string): boolean {
  const area = document.createElement("textarea");
  area.value = text;
  area.readOnly = true;
  area.className = "sr";
  // Inside an open dialog the rest of the page cannot take the focus.
  const host = document.activeElement?.closest("dialog, [popover]") ?? document.body;
  const before = document.activeElement;
  host.append(area);
  area.select();
  const done = document.execCommand("copy");
  area.remove();
  if (before instanceof HTMLElement) before.focus();
  return done;
}

/** A text with a copy button; `quiet` shows the text itself as the button. */
export function Copy({ text, label = "Copy", quiet = false }: { text: string; label?: string; quiet?: boolean }) {
  const [copied, setCopied] = useState(false);
  const copy = async (): Promise<void> => {
    if (!(await copyText(text))) return;
    setCopied(true);
    setTimeout(() => setCopied(false), 1600);
  };
  if (quiet) {
    return (
      <button
        type="button"
        class="codechip mono"
        data-tip={copied ? "Copied" : label}
        aria-label={`${label}: ${text}`}
        onClick={copy}
      >
        {copied ? "Copied" : text}
      </button>
    );
  }
  return <IconButton icon={copied ? "check" : "copy"} label={copied ? "Copied" : label} size="sm" onClick={copy} />;
}

/** One line of code or an address, with a copy button. */
export function CodeLine({ text, secret = false }: { text: string; secret?: boolean }) {
  const [shown, show] = useState(!secret);
  return (
    <div class="code line">
      <code>{shown ? text : "•".repeat(Math.min(24, text.length))}</code>
      {secret && (
        <IconButton
          icon={shown ? "eye-off" : "eye"}
          label={shown ? "Hide" : "Show"}
          size="sm"
          onClick={() => show(!shown)}
        />
      )}
      <Copy text={text} />
    </div>
  );
}

/** A secret that is shown only now; the dialog around it stays open until the reader says it is saved. */
export function SecretOnce({ label, value, onSaved }: { label: string; value: string; onSaved: () => void }) {
  const [saved, setSaved] = useState(false);
  useHold(!saved);
  return (
    <div class="stack">
      <div class="field">
        <p class="label">{label}</p>
        <CodeLine text={value} />
      </div>
      <Checkbox checked={saved} onChecked={setSaved} sub="It cannot be shown again.">
        I saved it
      </Checkbox>
      <Button kind="primary" disabled={!saved} onClick={onSaved}>
        Done
      </Button>
    </div>
  );
}
