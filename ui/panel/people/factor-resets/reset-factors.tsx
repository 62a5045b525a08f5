import { useState } from "preact/hooks";
import { appointment } from "../../../client/format.ts";
import { Button } from "../../../kit/button.tsx";
import { ConfirmDanger } from "../../../kit/dialog.tsx";
import { toast } from "../../../kit/toasts.ts";
import { api } from "../../client/api.ts";
import { may } from "../../client/permissions.ts";
import { resource, useResource } from "../../client/resource.ts";
import { user } from "../../client/session.ts";
import type { TeamMember } from "../../client/types.ts";
import { useProof } from "../factors/use-proof.tsx";

/** Beside a member who has second factors, for those who may help when all of them are lost. */
export function ResetFactors({ member }: { member: TeamMember }) {
  if (!may("users:manage", { ownRole: true }) || member.id === user.value?.id) return null;
  if (member.status !== "active" || member.second_factor !== true || member.is_visitor) return null;
  if (member.role === "org_owner" && user.value?.role !== "org_owner") return null;
  return <Offer member={member} />;
}

function Offer({ member: { id, display_name, email } }: { member: TeamMember }) {
  const resets = useResource("GET /api/team/factor-resets");
  const [asking, ask] = useState(false);
  const proof = useProof();
  const begin = (): Promise<void> =>
    proof.run(async () => {
      const begun = await api("POST /api/team/members/{id}/factor-reset", { path: { id } });
      toast(`The second factors of ${display_name} go ${appointment(begun.effective_at)}, unless somebody stops it.`);
      await resource("GET /api/team/factor-resets").refresh();
    });
  // Until it is known whether one is under way nothing is offered.
  if (resets.data.value === null || resets.data.value.resets.some(({ member_id }) => member_id === id))
    return <>{proof.dialog}</>;
  return (
    <>
      <Button size="sm" aria-label={`Reset second factors of ${display_name}`} onClick={() => ask(true)}>
        Reset factors
      </Button>
      {asking && (
        <ConfirmDanger
          title={`Reset the second factors of ${display_name}?`}
          typed={null}
          action="Reset in a day"
          onConfirm={async () => {
            ask(false);
            await begin();
          }}
          onClose={() => ask(false)}
        >
          <p>
            For somebody who lost every key, app and recovery code. Make sure that it is really them who asks. In a day
            all second factors of {email} are taken off and their sessions end; until then they, and everybody who
            manages the team, are told and can stop it.
          </p>
        </ConfirmDanger>
      )}
      {proof.dialog}
    </>
  );
}
