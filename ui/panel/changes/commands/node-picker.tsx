import { useEffect, useState } from "preact/hooks";
import { Button } from "../../../kit/button.tsx";
import { Dialog } from "../../../kit/dialog.tsx";
import { Input } from "../../../kit/field.tsx";
import { Glyph } from "../../../kit/status.tsx";
import { api } from "../../client/api.ts";
import type { Target } from "./ask.ts";

const typingMs = 200;
const most = 8;
const states = { online: "ok", degraded: "warn", offline: "crit" } as const;

/** Asks which node is meant, by its name, address or tag. */
export function NodePicker({
  title,
  onPick,
  onClose,
}: {
  title: string;
  onPick: (node: Target) => void;
  onClose: () => void;
}) {
  const [text, setText] = useState("");
  const [found, setFound] = useState<Target[] | null>(null);
  useEffect(() => {
    const abort = new AbortController();
    const timer = setTimeout(() => {
      api("GET /api/fleet/instances/page", { query: { q: text.trim(), per_page: most }, signal: abort.signal }).then(
        ({ items }) => setFound(items),
        () => {},
      );
    }, typingMs);
    return () => {
      clearTimeout(timer);
      abort.abort();
    };
  }, [text]);
  const [first] = found ?? [];
  return (
    <Dialog title={title} sub="Which node?" width="sm" onClose={onClose}>
      <form
        class="stack"
        onSubmit={(event) => {
          event.preventDefault();
          if (first !== undefined) onPick(first);
        }}
      >
        <Input
          label="Node"
          value={text}
          onValue={setText}
          hint="A part of its name, its address or a tag. Several nodes are chosen in the list of the fleet."
          autocomplete="off"
          spellcheck={false}
        />
        <ul class="rows pickednodes" aria-label="Nodes that fit">
          {(found ?? []).map((node) => (
            <li key={node.id}>
              <Button kind="ghost" wide onClick={() => onPick(node)}>
                <Glyph state={states[node.health]} />
                <span class="cut">{node.hostname}</span>
              </Button>
            </li>
          ))}
        </ul>
        {found?.length === 0 && <p class="t13 c3">No node is like that.</p>}
        <button type="submit" hidden />
      </form>
    </Dialog>
  );
}
