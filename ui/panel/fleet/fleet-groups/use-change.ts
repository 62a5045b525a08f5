import { useState } from "preact/hooks";
import { toast } from "../../../kit/toasts.ts";
import { type Attempt, useAttempt } from "../../../parts/attempt.ts";
import { changeAll, type NodeRef, nodesText } from "./each-node.ts";

/** What the dialogs that change nodes take. */
export interface NodesDialogProps {
  nodes: readonly NodeRef[];
  /** Something was changed. */
  onDone: () => void;
  onClose: () => void;
}

/** From so many nodes on, changing them takes longer than a second. */
const slow = 50;

interface NodesChange {
  attempt: Attempt;
  /** What the button says: what it does, and while many nodes are changed how far that is. */
  action: (text: string) => string;
  /** Does the work for each node that `prepare` gives, closes the dialog, and says `told` of the nodes; false when it failed. */
  change: (prepare: () => Promise<(node: NodeRef) => Promise<unknown>>, told: string) => Promise<boolean>;
}

/** What all dialogs that change nodes share: sending, closing, and telling the result. */
export function useNodesChange({ nodes, onDone, onClose }: NodesDialogProps): NodesChange {
  const attempt = useAttempt();
  const [done, setDone] = useState(0);
  const isSlow = attempt.busy && nodes.length >= slow;
  return {
    attempt,
    action: (text) => (isSlow ? `${done.toLocaleString("en")} of ${nodesText(nodes)}` : text),
    async change(prepare, told) {
      const sent = await attempt.send(async () => changeAll(nodes, await prepare(), setDone));
      if (!sent) return false;
      onClose();
      onDone();
      toast(`${nodesText(nodes)}: ${told}`);
      return true;
    },
  };
}
