import { LinkButton } from "../../../kit/button.tsx";
import { EmptyState } from "../../../kit/card.tsx";
import { may } from "../../client/permissions.ts";
import { user } from "../../client/session.ts";

/** The first page of a workspace. */
export function Overview() {
  return (
    <div class="page">
      <EmptyState
        page
        title={`${user.value?.tenant_name ?? "This workspace"} has no nodes yet`}
        action={
          may("fleet:write") && (
            <LinkButton kind="primary" href="/enrol" icon="plus">
              Add a node
            </LinkButton>
          )
        }
      >
        {may("fleet:write")
          ? "A server appears here with its first heartbeat."
          : "A server appears here with its first heartbeat. Owners, admins and managers can add one."}
      </EmptyState>
    </div>
  );
}
