import { appointment } from "../../../client/format.ts";
import { asProblem } from "../../../client/problem.ts";
import { Button } from "../../../kit/button.tsx";
import { Card } from "../../../kit/card.tsx";
import { Status } from "../../../kit/status.tsx";
import { DataTable } from "../../../kit/table.tsx";
import { toast } from "../../../kit/toasts.ts";
import { api } from "../../client/api.ts";
import { may } from "../../client/permissions.ts";
import { useResource } from "../../client/resource.ts";

/** Resets of second factors that are under way, for those who may stop them; nothing while there are none. */
export function FactorResets() {
  return may("users:manage", { ownRole: true }) ? <UnderWay /> : null;
}

function UnderWay() {
  const list = useResource("GET /api/team/factor-resets", { everyMs: 60_000 });
  const resets = list.data.value?.resets ?? [];
  if (resets.length === 0) return null;
  const stop = async (id: string, name: string): Promise<void> => {
    try {
      await api("DELETE /api/team/members/{id}/factor-reset", { path: { id } });
      toast(`The second factors of ${name} stay.`);
    } catch (error) {
      toast(asProblem(error).message, { state: "crit" });
    }
    void list.refresh();
  };
  return (
    <Card title="Second factors about to be removed">
      <DataTable
        label="Second factors about to be removed"
        folds
        rows={resets}
        keyOf={({ member_id }) => member_id}
        columns={[
          { id: "name", title: "Person", cell: ({ display_name }) => <span class="host cut">{display_name}</span> },
          {
            id: "at",
            title: "When",
            cell: ({ effective_at }) => <Status state="warn">{appointment(effective_at)}</Status>,
          },
          { id: "by", title: "Asked for by", wide: true, cell: ({ asked_by }) => asked_by ?? "Somebody who left" },
          {
            id: "do",
            title: "",
            cell: ({ member_id, display_name }) => (
              <Button
                size="sm"
                aria-label={`Stop the reset for ${display_name}`}
                onClick={() => void stop(member_id, display_name)}
              >
                Stop
              </Button>
            ),
          },
        ]}
      />
    </Card>
  );
}
