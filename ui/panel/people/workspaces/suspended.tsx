import { useEffect, useState } from "preact/hooks";
import { asProblem } from "../../../client/problem.ts";
import { Button } from "../../../kit/button.tsx";
import { toast } from "../../../kit/toasts.ts";
import { api } from "../../client/api.ts";
import { updateUser, user } from "../../client/session.ts";
import { Gate, Hello } from "../../parts/gate.tsx";
import { WaysElsewhere } from "./ways-elsewhere.tsx";

/** For a member of a workspace that was suspended: whom to ask, and the ways elsewhere. */
export function Suspended() {
  const place = user.value?.tenant_name ?? "This workspace";
  const [isAsking, setAsking] = useState(false);
  useEffect(() => {
    document.title = "Workspace suspended, Orrery";
  }, []);
  const look = async (): Promise<void> => {
    setAsking(true);
    try {
      const who = await api("GET /api/auth/me");
      updateUser(who);
      if (who.workspace_suspended) toast(`${place} is still suspended.`);
    } catch (error) {
      toast(asProblem(error).message, { state: "crit" });
    }
    setAsking(false);
  };
  return (
    <Gate>
      <main class="signin" id="main">
        <Hello>This workspace is suspended</Hello>
        <p class="c2 mid">
          Whoever runs this panel has suspended <b>{place}</b>. Its servers go on running, and nothing in it is lost.
          Ask them why, and to open it again.
        </p>
        <div class="ways one">
          <Button kind="primary" wide busy={isAsking} onClick={() => void look()}>
            Look again
          </Button>
        </div>
        <WaysElsewhere />
      </main>
    </Gate>
  );
}
