import { useState } from "preact/hooks";
import { asProblem } from "../client/problem.ts";
import { Button } from "../kit/button.tsx";
import { toast } from "../kit/toasts.ts";

/** Hands everything that fits to the browser as a table; `run` may take its time. */
export function ExportButton({ run, disabled }: { run: () => Promise<void>; disabled: boolean }) {
  const [busy, setBusy] = useState(false);
  const press = async (): Promise<void> => {
    setBusy(true);
    try {
      await run();
    } catch (error) {
      toast(`The export failed: ${asProblem(error).message}`, { state: "crit" });
    } finally {
      setBusy(false);
    }
  };
  return (
    <Button size="sm" icon="download" busy={busy} disabled={disabled} onClick={() => void press()}>
      Export CSV
    </Button>
  );
}
