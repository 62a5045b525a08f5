import { appointment } from "../../../client/format.ts";
import { asProblem } from "../../../client/problem.ts";
import { Button } from "../../../kit/button.tsx";
import { Card } from "../../../kit/card.tsx";
import { Status } from "../../../kit/status.tsx";
import { toast } from "../../../kit/toasts.ts";
import { api } from "../../client/api.ts";
import { useResource } from "../../client/resource.ts";

/** Says that somebody has asked to take the reader's second factors off, and lets them stop it. */
export function OwnFactorReset() {
  const list = useResource("GET /api/auth/factor-resets", { everyMs: 60_000 });
  const resets = list.data.value?.resets ?? [];
  if (resets.length === 0) return null;
  const stop = async (): Promise<void> => {
    try {
      await api("DELETE /api/auth/factor-resets");
      toast("Your second factors stay.");
    } catch (error) {
      toast(asProblem(error).message, { state: "crit" });
    }
    void list.refresh();
  };
  return (
    <Card title="Your second factors are about to be removed" w={12}>
      <div class="card-b stack">
        {resets.map(({ workspace, asked_by, effective_at }) => (
          <div key={workspace} class="stack">
            <Status state="warn">{appointment(effective_at)}</Status>
            <p class="c2">
              {asked_by ?? "Somebody"} of <b>{workspace}</b> asked for it, which is meant for somebody who lost all of
              them. If you did not, stop it and talk to them.
            </p>
          </div>
        ))}
        <div class="btns">
          <Button kind="primary" size="sm" onClick={() => void stop()}>
            Keep my second factors
          </Button>
        </div>
      </div>
    </Card>
  );
}
