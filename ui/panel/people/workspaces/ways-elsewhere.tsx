import { Button } from "../../../kit/button.tsx";
import { useResource } from "../../client/resource.ts";
import { signOut } from "../../client/session.ts";
import { switchTo } from "./switch-to.ts";

/** For whom this workspace does not let on: the other ones, and the way out. */
export function WaysElsewhere() {
  const workspaces = useResource("GET /api/workspaces");
  const others = (workspaces.data.value?.workspaces ?? []).filter(
    ({ current, status }) => !current && status === "active",
  );
  return (
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
  );
}
