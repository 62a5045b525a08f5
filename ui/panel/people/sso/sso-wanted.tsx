import { useEffect } from "preact/hooks";
import { Button } from "../../../kit/button.tsx";
import { useResource } from "../../client/resource.ts";
import { signOut, user } from "../../client/session.ts";
import { Gate, Hello } from "../../parts/gate.tsx";
import { switchTo } from "../workspaces/switch-to.ts";
import { startOf } from "./start-address.ts";

/** For a member who came another way than the workspace wants: the way to its sign-in, and the ways elsewhere. */
export function SsoWanted() {
  const who = user.value;
  const workspaces = useResource("GET /api/workspaces");
  useEffect(() => {
    document.title = "Single sign-on, Orrery";
  }, []);
  const others = (workspaces.data.value?.workspaces ?? []).filter(
    ({ current, status }) => !current && status === "active",
  );
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
        <div class="btns center-row">
          {others.map((each) => (
            <Button key={each.id} size="sm" onClick={() => void switchTo(each)}>
              <span class="cut">Go to {each.name}</span>
            </Button>
          ))}
          <Button kind="ghost" size="sm" onClick={() => void signOut()}>
            Sign out
          </Button>
        </div>
      </main>
    </Gate>
  );
}
