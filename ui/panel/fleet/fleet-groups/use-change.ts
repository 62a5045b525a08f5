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

interface NodesChange {
  attempt: Attempt;
  /** Does the work for each node that `prepare` gives, closes the dialog, and says `told` of the nodes; false when it failed. */
  change: (prepare: () => Promise<(node: NodeRef) => Promise<unknown>>, told: string) => Promise<boolean>;
}

/** What all dialogs that change nodes share: sending, closing, and telling the result. */
export function useNodesChange({ nodes, onDone, onClose }: NodesDialogProps): NodesChange {
  const attempt = useAttempt();
  return {
    attempt,
    async change(prepare, told) {
      const sent = await attempt.send(async () => changeAll(nodes, await prepare()));
      if (!sent) return false;
      onClose();
      onDone();
      toast(`${nodesText(nodes)}: ${told}`);
      return true;
    },
  };
}
