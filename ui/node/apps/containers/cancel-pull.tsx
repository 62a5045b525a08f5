import { useState } from "preact/hooks";
import { asProblem } from "../../../client/problem.ts";
import { Button } from "../../../kit/button.tsx";
import { toast } from "../../../kit/toasts.ts";
import { api } from "../../client/api.ts";
import { isAdmin } from "../../client/session.ts";
import type { OperationView } from "../../platform/operations/operation-events.ts";

/** Ends the pull that a long work waits for; nothing where it waits for none, and for those who may not. */
export function CancelPull({ view, onDone = () => {} }: { view: OperationView; onDone?: () => void }) {
  const [busy, setBusy] = useState(false);
  const image = view.steps.find(({ status }) => status === "running")?.image ?? null;
  if (view.status !== "running" || image === null || !isAdmin()) return null;
  const cancel = async (): Promise<void> => {
    setBusy(true);
    try {
      toast((await api("POST /api/containers/images/pull/cancel", { body: { image } })).message);
      onDone();
    } catch (error) {
      toast(asProblem(error).message, { state: "crit" });
    }
    setBusy(false);
  };
  return (
    <div>
      <Button busy={busy} onClick={() => void cancel()}>
        Cancel the pull
      </Button>
    </div>
  );
}
