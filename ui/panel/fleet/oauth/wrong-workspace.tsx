import { address } from "../../../client/router.ts";
import { LinkButton } from "../../../kit/button.tsx";
import { Icon } from "../../../kit/icon.tsx";
import { Loaded } from "../../../parts/loaded.tsx";
import { useResource } from "../../client/resource.ts";
import { user } from "../../client/session.ts";
import { Hello } from "../../parts/gate.tsx";
import { switchTo } from "../../people/workspaces/switch-to.ts";
import { WorkspaceTile } from "../../people/workspaces/tile.tsx";

/** The node that asks is in no workspace of this name: offers the others. */
export function WrongWorkspace() {
  const all = useResource("GET /api/workspaces");
  return (
    <>
      <Hello>This node is not in {user.value?.tenant_name}</Hello>
      <div class="ways one">
        <div class="elsewhere">
          <Loaded of={all} what="Workspaces">
            {({ workspaces }) => {
              const others = workspaces.filter((workspace) => !workspace.current && workspace.status === "active");
              if (others.length === 0)
                return (
                  <>
                    <p class="c2">
                      You have no other workspace that it could belong to. It may have been removed from this one.
                    </p>
                    <LinkButton href="/fleet">See the nodes of this workspace</LinkButton>
                  </>
                );
              return (
                <>
                  <p class="c2">It may belong to another workspace of yours.</p>
                  <ul>
                    {others.map((workspace) => (
                      <li key={workspace.id}>
                        <button type="button" onClick={() => void switchTo(workspace, address.peek())}>
                          <WorkspaceTile initials={workspace.initials} color={workspace.color} />
                          <span class="cut">{workspace.name}</span>
                          <Icon name="right" />
                        </button>
                      </li>
                    ))}
                  </ul>
                </>
              );
            }}
          </Loaded>
        </div>
      </div>
    </>
  );
}
