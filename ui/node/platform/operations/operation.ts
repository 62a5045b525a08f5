import { signal } from "@preact/signals";
import { useEffect, useState } from "preact/hooks";
import { followStream } from "../../client/stream.ts";
import { applyOperationEvent, freshOperation, type OperationView } from "./operation-events.ts";

/** Follows a long work live, from its first event on; survives a restart of the server. */
export function useOperation(id: string | null): OperationView {
  const [view] = useState(() => signal(freshOperation));
  useEffect(() => {
    view.value = freshOperation;
    if (id === null) return;
    return followStream(`/api/operations/${encodeURIComponent(id)}/events?from=0`, {
      onEvent: (event) => {
        view.value = applyOperationEvent(view.peek(), event.data);
      },
      onRefused: (problem) => {
        view.value = { ...view.peek(), status: "failed", error: problem.message };
      },
      endsWith: (event) => event.type === "done" || event.type === "error",
    });
  }, [id, view]);
  return view.value;
}
