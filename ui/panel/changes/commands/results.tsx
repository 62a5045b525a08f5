import { useMemo } from "preact/hooks";
import { Button } from "../../../kit/button.tsx";
import { Skeleton } from "../../../kit/card.tsx";
import { Dialog } from "../../../kit/dialog.tsx";
import { Refusal } from "../../../parts/refusal.tsx";
import type { Target } from "./ask.ts";
import { CommandList } from "./command-list.tsx";
import { useFollowed } from "./follow.ts";
import type { Sent } from "./send.ts";
import { byNeed, isOver, progressText, skipText } from "./words.ts";

/** A longer list is read on the page of commands. */
const most = 100;

/** What becomes of what was just sent, node by node, while it happens. */
export function Results({
  title,
  sent,
  nodes,
  onClose,
}: {
  title: string;
  sent: Sent;
  nodes: readonly Target[];
  onClose: () => void;
}) {
  const ids = useMemo(() => sent.commands.map(({ id }) => id), [sent]);
  const names = useMemo(() => new Map(nodes.map(({ id, hostname }) => [id, hostname])), [nodes]);
  const { commands, problem } = useFollowed(ids);
  const list = byNeed([...commands.values()]);
  const isDone = list.length === ids.length && list.every(isOver);
  return (
    <Dialog
      title={title}
      sub={isDone ? "All of it is over." : "You may close this: it goes on, and stands on the page Commands."}
      onClose={onClose}
      foot={
        <>
          <a class="btn" href="/commands" onClick={onClose}>
            All commands
          </a>
          <Button class="push" kind="primary" onClick={onClose}>
            Close
          </Button>
        </>
      }
    >
      <div class="stack">
        <p class="w5" role="status">
          {ids.length === 0 ? "No node got it." : progressText(list) || "Sent."}
        </p>
        {problem !== null && <Refusal problem={problem} />}
        {sent.skipped.length > 0 && (
          <ul class="t13 c2">
            {sent.skipped.slice(0, most).map(({ instance_id, reason }) => (
              <li key={instance_id}>
                {names.get(instance_id) ?? instance_id}: {skipText(reason)}.
              </li>
            ))}
          </ul>
        )}
        {list.length === 0 && ids.length > 0 && <Skeleton rows={2} />}
        <CommandList commands={list.slice(0, most)} first="node" onChange={() => {}} />
        {list.length > most && (
          <p class="t13 c3">{(list.length - most).toLocaleString("en")} more are on the page Commands.</p>
        )}
      </div>
    </Dialog>
  );
}
