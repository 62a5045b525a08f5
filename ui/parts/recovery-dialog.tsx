import { useState } from "preact/hooks";
import { Button } from "../kit/button.tsx";
import { copyText } from "../kit/copy.tsx";
import { Dialog } from "../kit/dialog.tsx";
import { Input } from "../kit/field.tsx";
import { toast } from "../kit/toasts.ts";

/** Recovery codes, shown this once; typing one back proves that they were kept. */
export function RecoveryDialog({
  codes,
  owner,
  place,
  onClose,
}: {
  codes: string[];
  /** Whose they are. */
  owner: string;
  /** The host that they are for. */
  place: string;
  onClose: () => void;
}) {
  const [typed, setTyped] = useState("");
  const plain = (text: string): string => text.toLowerCase().replace(/[^a-z0-9]/g, "");
  const kept = codes.some((code) => plain(code) === plain(typed));
  const text = `Recovery codes for ${owner} on ${place}\nEach works once.\n\n${codes.join("\n")}\n`;
  const copy = async (): Promise<void> => {
    const done = await copyText(text);
    toast(done ? "Copied." : "The browser did not allow copying.", { state: done ? "ok" : "warn" });
  };
  const save = (): void => {
    const link = document.createElement("a");
    link.href = URL.createObjectURL(new Blob([text], { type: "text/plain" }));
    link.download = `recovery-codes-${place}.txt`;
    link.click();
    URL.revokeObjectURL(link.href);
  };
  return (
    <Dialog
      title="Save your recovery codes"
      sub="They are shown only now."
      width="sm"
      onClose={onClose}
      held={!kept}
      isProof
      foot={
        <Button class="push" kind="primary" disabled={!kept} onClick={onClose}>
          Done
        </Button>
      }
    >
      <div class="stack">
        <p class="c2">Each opens the account once when your phone is lost. Keep them away from this device.</p>
        <ol class="recovery mono">
          {codes.map((code) => (
            <li key={code}>{code}</li>
          ))}
        </ol>
        <div class="btns no-print">
          <Button size="sm" icon="copy" onClick={() => void copy()}>
            Copy
          </Button>
          <Button size="sm" icon="download" onClick={save}>
            Download
          </Button>
          <Button size="sm" icon="printer" onClick={() => print()}>
            Print
          </Button>
        </div>
        <Input
          label="Type one of them back"
          icon="key"
          value={typed}
          onValue={setTyped}
          autocomplete="off"
          autocapitalize="off"
          spellcheck={false}
          hint={kept ? "That is one of them." : "So that you know they are kept. It stays unused."}
        />
      </div>
    </Dialog>
  );
}
