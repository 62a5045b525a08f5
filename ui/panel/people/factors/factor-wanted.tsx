import { useEffect } from "preact/hooks";
import { Button } from "../../../kit/button.tsx";
import { useResource } from "../../client/resource.ts";
import { signOut, user } from "../../client/session.ts";
import { Gate, Hello } from "../../parts/gate.tsx";
import { switchTo } from "../workspaces/switch-to.ts";
import { FactorCards } from "./factor-cards.tsx";

/** For a member without second factor in a workspace that wants one: the way to one, and the ways elsewhere. */
export function FactorWanted() {
  const place = user.value?.tenant_name ?? "This workspace";
  const workspaces = useResource("GET /api/workspaces");
  useEffect(() => {
    document.title = "Add a second factor, Orrery";
  }, []);
  const others = (workspaces.data.value?.workspaces ?? []).filter(
    ({ current, status }) => !current && status === "active",
  );
  return (
    <Gate>
      <main class="signin factor-wanted" id="main">
        <Hello>Add a second factor</Hello>
        <p class="c2 mid">
          <b>{place}</b> wants one of all its members. With a key or an app you are in at once.
        </p>
        <div class="grid12">
          <FactorCards />
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
