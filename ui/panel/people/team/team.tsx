import { useState } from "preact/hooks";
import { ago, count } from "../../../client/format.ts";
import { asProblem } from "../../../client/problem.ts";
import { Button, IconButton } from "../../../kit/button.tsx";
import { Card, Skeleton } from "../../../kit/card.tsx";
import { Select } from "../../../kit/choice.tsx";
import { Avatar, Chip, type State, Status } from "../../../kit/status.tsx";
import { DataTable } from "../../../kit/table.tsx";
import { toast } from "../../../kit/toasts.ts";
import { Loaded } from "../../../parts/loaded.tsx";
import { api } from "../../client/api.ts";
import { useChanges } from "../../client/changes.ts";
import { may } from "../../client/permissions.ts";
import { useResource } from "../../client/resource.ts";
import { updateUser, user } from "../../client/session.ts";
import type { Member, RoleName, TeamMember } from "../../client/types.ts";
import { MailTrouble } from "../../parts/mail-outcome.tsx";
import { roleNames, roleRights } from "../../parts/roles.ts";
import { memberActions, teamCards } from "../../team-cards.ts";
import { RemoveMember } from "./remove-member.tsx";
import { mayRemove, mayRestore, roleChoice } from "./rules.ts";

/** In a large workspace somebody comes or goes all the time. */
const changesMs = 2000;

/** Who is in this workspace, and what each may do. */
export function Team() {
  const team = useResource("GET /api/team/members", { everyMs: 30_000 });
  useChanges("team", team.refresh, changesMs);
  const [removed, setRemoved] = useState<Member | null>(null);
  const active = team.data.value?.filter((member) => member.status === "active").length ?? 0;
  const change = async (member: Member, role: RoleName): Promise<void> => {
    const put = (to: RoleName): void =>
      team.set((list) => list?.map((item) => (item.id === member.id ? { ...item, role: to } : item)) ?? null);
    put(role);
    try {
      await api("PUT /api/team/members/{id}/role", { path: { id: member.id }, body: { role } });
      toast(`${member.display_name} is ${roleNames[role].toLowerCase()} now.`);
      // Whoever gives up a role of their own sees the page change with it.
      if (member.id === user.peek()?.id) updateUser(await api("GET /api/auth/me"));
    } catch (error) {
      put(member.role);
      toast(asProblem(error).message, { state: "crit" });
    }
    void team.refresh();
  };
  const restore = async (member: Member): Promise<void> => {
    try {
      await api("POST /api/team/members/{id}/restore", { path: { id: member.id } });
      toast(`${member.display_name} can sign in to this workspace again.`);
    } catch (error) {
      toast(asProblem(error).message, { state: "crit" });
    }
    void team.refresh();
  };
  return (
    <div class="page">
      <header class="head">
        <h1>Team</h1>
        {active > 0 && <span class="t13 c3">{count(active, "person", "people")}</span>}
      </header>
      <div class="card team">
        <Loaded of={team} what="Team" skeleton={<Skeleton rows={3} tile />}>
          {(list) => (
            <DataTable
              label="Team"
              folds
              rows={list}
              keyOf={(member) => member.id}
              columns={[
                { id: "name", title: "Person", cell: (member) => <Person member={member} /> },
                {
                  id: "role",
                  title: "Role",
                  cell: (member) => <Role member={member} team={list} onRole={(role) => void change(member, role)} />,
                },
                { id: "presence", title: "Seen", cell: (member) => <Presence member={member} /> },
                {
                  id: "remove",
                  title: "",
                  cell: (member) =>
                    member.status === "disabled" ? (
                      <Restore member={member} onRestore={() => void restore(member)} />
                    ) : (
                      <span class="row">
                        {memberActions.map((Action, index) => (
                          <Action key={index} member={member} />
                        ))}
                        <Remove member={member} onRemove={() => setRemoved(member)} />
                      </span>
                    ),
                },
              ]}
            />
          )}
        </Loaded>
      </div>
      {removed !== null && (
        <RemoveMember member={removed} onDone={() => void team.refresh()} onClose={() => setRemoved(null)} />
      )}
      {teamCards.map((TeamCard, index) => (
        <TeamCard key={index} />
      ))}
      <Reasons team={team.data.value ?? []} />
      <Card title="What each role may do">
        <dl class="dl roles card-b">
          {roleRights.map(({ role, may: rights }) => (
            <div key={role}>
              <dt>{roleNames[role]}</dt>
              <dd>{rights}</dd>
            </div>
          ))}
        </dl>
      </Card>
    </div>
  );
}

function Person({ member }: { member: TeamMember }) {
  return (
    <span class="lines">
      <span class="row">
        <Avatar name={member.display_name} />
        <span class="col">
          <span class="row who">
            <span class="host cut">{member.display_name}</span>
            {member.id === user.value?.id && <Chip>You</Chip>}
            {member.is_visitor && <Chip state="info">Support</Chip>}
            {member.status === "disabled" && <Chip state="warn">No access</Chip>}
            {member.status === "active" && member.second_factor === false && <Chip state="warn">Passphrase only</Chip>}
          </span>
          <span class="t12 c3 cut">{member.email}</span>
        </span>
      </span>
      <MailTrouble of={member.mail} />
    </span>
  );
}

function caller(): Parameters<typeof roleChoice>[2] {
  return { role: user.value?.role ?? "org_teacher", mayManage: may("users:manage", { ownRole: true }) };
}

function Remove({ member, onRemove }: { member: TeamMember; onRemove: () => void }) {
  if (!mayRemove(member, { ...caller(), id: user.value?.id ?? "" })) return null;
  return <IconButton icon="trash" size="sm" label={`Remove ${member.display_name}`} onClick={onRemove} />;
}

function Restore({ member, onRestore }: { member: TeamMember; onRestore: () => void }) {
  if (!mayRestore(member, caller())) return null;
  return (
    <Button size="sm" aria-label={`Give access to ${member.display_name} again`} onClick={onRestore}>
      Give access
    </Button>
  );
}

function Role({
  member,
  team,
  onRole,
}: {
  member: TeamMember;
  team: readonly TeamMember[];
  onRole: (role: RoleName) => void;
}) {
  const choice = roleChoice(member, team, caller());
  if (choice.roles === null) return <>{roleNames[member.role]}</>;
  return (
    <Select
      size="sm"
      label={`Role of ${member.display_name}`}
      value={member.role}
      options={choice.roles.map((value) => ({ value, label: roleNames[value] }))}
      onValue={onRole}
    />
  );
}

/** Why some roles cannot be changed, once for all rows. */
function Reasons({ team }: { team: readonly TeamMember[] }) {
  const reasons = team.flatMap((member) => {
    const choice = roleChoice(member, team, caller());
    return choice.roles === null && choice.why !== null ? [choice.why] : [];
  });
  return (
    <>
      {[...new Set(reasons)].map((reason) => (
        <p key={reason} class="t13 c3">
          {reason}
        </p>
      ))}
    </>
  );
}

const presences: Record<Member["presence"], { state: State; word: string }> = {
  online: { state: "ok", word: "Here now" },
  idle: { state: "info", word: "Away" },
  offline: { state: "off", word: "Not yet" },
};

function Presence({ member }: { member: Member }) {
  const { state, word } = presences[member.presence];
  const isGone = member.presence === "offline" && member.last_seen_at !== null;
  return <Status state={state}>{isGone ? ago(member.last_seen_at ?? "") : word}</Status>;
}
