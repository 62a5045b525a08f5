import { useState } from "preact/hooks";
import type { MaintenanceWindow } from "../../../../src/node/monitoring/maintenance/contract.ts";
import { appointment, count } from "../../../client/format.ts";
import { asProblem } from "../../../client/problem.ts";
import { useWish } from "../../../client/wish.ts";
import { Button } from "../../../kit/button.tsx";
import { Card, EmptyState, Skeleton } from "../../../kit/card.tsx";
import { ConfirmDanger } from "../../../kit/dialog.tsx";
import { Status } from "../../../kit/status.tsx";
import { DataTable } from "../../../kit/table.tsx";
import { toast } from "../../../kit/toasts.ts";
import { Loaded } from "../../../parts/loaded.tsx";
import { api } from "../../client/api.ts";
import { useResource } from "../../client/resource.ts";
import { isAdmin } from "../../client/session.ts";
import { MaintenanceDialog } from "./maintenance-dialog.tsx";

type Layer = { kind: "form"; window: MaintenanceWindow | null } | { kind: "delete"; window: MaintenanceWindow };

/** When alerts are noted but nobody is told. */
export function MaintenanceTab() {
  const windows = useResource("GET /api/alerting/maintenance", { everyMs: 30_000 });
  const [layer, open] = useState<Layer | null>(null);
  const close = (): void => open(null);
  useWish("maintenance", () => open({ kind: "form", window: null }));
  const remove = async (id: string): Promise<void> => {
    try {
      await api("DELETE /api/alerting/maintenance/{id}", { path: { id } });
    } catch (error) {
      throw new Error(asProblem(error).message);
    }
    windows.set((list) => list?.filter((one) => one.id !== id) ?? null);
    close();
    toast("The window is deleted. What it held back is told now.");
  };
  const add = isAdmin() ? (
    <Button kind="primary" icon="plus" size="sm" onClick={() => open({ kind: "form", window: null })}>
      Plan maintenance
    </Button>
  ) : undefined;
  return (
    <Card
      w={12}
      class="alertlist"
      title="Maintenance"
      actions={(windows.data.value?.length ?? 0) > 0 ? add : undefined}
    >
      <Loaded of={windows} what="Maintenance" skeleton={<Skeleton rows={3} />}>
        {(list) =>
          list.length === 0 ? (
            <EmptyState title="No maintenance planned" action={add}>
              In a maintenance window alerts are noted but nobody is woken. What still fires at its end is told then.
            </EmptyState>
          ) : (
            <DataTable
              label="Maintenance windows"
              rows={list.toSorted(bySoonest)}
              keyOf={({ id }) => id}
              columns={[
                {
                  id: "name",
                  title: "Window",
                  cell: (window) => (
                    <span class="col rulename">
                      {isAdmin() ? (
                        <button type="button" class="link linkish w6" onClick={() => open({ kind: "form", window })}>
                          {window.name}
                        </button>
                      ) : (
                        <span class="w6">{window.name}</span>
                      )}
                      <span class="t12 c3">{timesText(window)}</span>
                    </span>
                  ),
                },
                { id: "next", title: "Next", cell: (window) => <Next window={window} /> },
                {
                  id: "scope",
                  title: "Holds back",
                  wide: true,
                  cell: ({ scope, rule_ids }) => (scope === "all" ? "All alerts" : count(rule_ids.length, "rule")),
                },
              ]}
            />
          )
        }
      </Loaded>
      {layer?.kind === "form" && (
        <MaintenanceDialog
          window={layer.window}
          onClose={close}
          onDelete={
            layer.window === null ? undefined : () => layer.window && open({ kind: "delete", window: layer.window })
          }
          onSaved={() => {
            close();
            void windows.refresh();
          }}
        />
      )}
      {layer?.kind === "delete" && (
        <ConfirmDanger
          title={`Delete ${layer.window.name}?`}
          action="Delete window"
          typed={null}
          onConfirm={() => remove(layer.window.id)}
          onClose={close}
        >
          Alerts that it holds back are told at once.
        </ConfirmDanger>
      )}
    </Card>
  );
}

/** What is on or comes next first, what is over last. */
function bySoonest(a: MaintenanceWindow, b: MaintenanceWindow): number {
  const at = ({ active, next_start }: MaintenanceWindow): number =>
    active ? 0 : next_start === null ? Number.MAX_SAFE_INTEGER : Date.parse(next_start);
  return at(a) - at(b);
}

const repeats: Record<MaintenanceWindow["repeat"], string> = {
  "one-time": "Once",
  daily: "Every day",
  weekly: "Every week",
  monthly: "Every month",
};

function timesText({ repeat, start, end, timezone }: MaintenanceWindow): string {
  const [fromDay = "", from = ""] = start.split("T");
  const [toDay = "", to = ""] = end.split("T");
  const days = repeat === "one-time" ? ` ${fromDay}` : "";
  const last = repeat === "one-time" && toDay !== fromDay ? ` ${toDay}` : "";
  return `${repeats[repeat]}${days}, ${from} to${last} ${to} (${timezone})`;
}

function Next({ window }: { window: MaintenanceWindow }) {
  const { active, next_start, next_end } = window;
  if (active && next_end !== null) return <Status state="busy">On until {appointment(next_end)}</Status>;
  if (next_start === null) return <span class="c3">Over</span>;
  return <span>{appointment(next_start)}</span>;
}
