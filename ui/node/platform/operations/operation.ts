import { signal } from "@preact/signals";
import { useEffect, useState } from "preact/hooks";
import { followStream } from "../../client/stream.ts";
import { applyOperationEvent, freshOperation, type OperationView } from "./operation-events.ts";

const eventsOf = (id: string): string => `/api/operations/${encodeURIComponent(id)}/events`;

/**
 * Follows a long work live, from its first event on; survives a restart of the server. `addressOf` must be the same function each
 * time.
 */
export function useOperation(id: string | null, addressOf: (id: string) => string = eventsOf): OperationView {
  const [view] = useState(() => signal(freshOperation));
  useEffect(() => {
    view.value = freshOperation;
    if (id === null) return;
    return followStream(`${addressOf(id)}?from=0`, {
      onEvent: (event) => {
        view.value = applyOperationEvent(view.peek(), event.data);
      },
      onRefused: (problem) => {
        view.value = { ...view.peek(), status: "failed", error: problem.message };
      },
      endsWith: (event) => event.type === "done" || event.type === "error",
    });
  }, [id, view, addressOf]);
  return view.value;
}
