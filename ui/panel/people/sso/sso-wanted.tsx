import { useEffect } from "preact/hooks";
import { Button } from "../../../kit/button.tsx";
import { user } from "../../client/session.ts";
import { Gate, Hello } from "../../parts/gate.tsx";
import { WaysElsewhere } from "../workspaces/ways-elsewhere.tsx";
import { startOf } from "./start-address.ts";

/** For a member who came another way than the workspace wants: the way to its sign-in, and the ways elsewhere. */
export function SsoWanted() {
  const who = user.value;
  useEffect(() => {
    document.title = "Single sign-on, Orrery";
  }, []);
  const start = (): void =>
    location.assign(
      startOf(`/api/sso/${who?.sso_required ?? ""}/start`, `${location.pathname}${location.search}`, who?.email),
    );
  return (
    <Gate>
      <main class="signin" id="main">
        <Hello>Sign in with your company</Hello>
        <p class="c2 mid">
          <b>{who?.tenant_name ?? "This workspace"}</b> lets its members in through its own sign-in alone.
        </p>
        <div class="ways one">
          <Button kind="primary" wide icon="key" onClick={start}>
            Continue
          </Button>
        </div>
        <WaysElsewhere />
      </main>
    </Gate>
  );
}
