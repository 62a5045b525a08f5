import { asProblem } from "../../../client/problem.ts";
import { Card } from "../../../kit/card.tsx";
import { Select } from "../../../kit/choice.tsx";
import { DataTable } from "../../../kit/table.tsx";
import { toast } from "../../../kit/toasts.ts";
import { api } from "../../client/api.ts";
import { roleNames } from "../../parts/roles.ts";
import type { Group } from "./types.ts";

const roles = ["org_admin", "org_manager", "org_viewer", "org_teacher"] as const;
const options = [
  { value: "none" as const, label: "Nothing" },
  ...roles.map((role) => ({ value: role, label: roleNames[role] })),
];

/** What the groups of the directory make people here. */
export function GroupsCard({ groups, onChanged }: { groups: Group[]; onChanged: () => Promise<void> }) {
  const choose = async ({ id, name }: Group, role: (typeof options)[number]["value"]): Promise<void> => {
    try {
      await api("PUT /api/scim/groups/{id}", { path: { id }, body: { role: role === "none" ? null : role } });
      toast(`Whoever is in ${name} has that role now.`);
    } catch (error) {
      toast(asProblem(error).message, { state: "crit" });
    }
    await onChanged();
  };
  return (
    <Card title="Groups and roles">
      <p class="card-b c2">
        Whom a directory brings is a viewer, unless a group says more; of several groups the most counts. A role that
        was given in the team stays where no group says anything.
      </p>
      {groups.length === 0 ? (
        <p class="card-b c2">It has sent no groups yet. Choose some in the directory, and they appear here.</p>
      ) : (
        <DataTable
          label="Groups"
          rows={groups}
          keyOf={({ id }) => id}
          folds
          columns={[
            { id: "name", title: "Group", cell: ({ name }) => <span class="host">{name}</span> },
            { id: "members", title: "People", number: true, cell: ({ members }) => members.toLocaleString("en") },
            {
              id: "role",
              title: "Is here",
              cell: (group) => (
                <Select
                  size="sm"
                  label={`What ${group.name} is here`}
                  value={group.role ?? "none"}
                  options={options}
                  onValue={(role) => void choose(group, role)}
                />
              ),
            },
          ]}
        />
      )}
    </Card>
  );
}
