import { useEffect, useState } from "preact/hooks";
import type { AlertRule, RuleInput, RuleTargets } from "../../../../src/node/monitoring/alerting/contract.ts";
import { ago, count } from "../../../client/format.ts";
import { asProblem } from "../../../client/problem.ts";
import { query, setQuery } from "../../../client/router.ts";
import { useWish } from "../../../client/wish.ts";
import { Button } from "../../../kit/button.tsx";
import { Card, EmptyState, Skeleton } from "../../../kit/card.tsx";
import { Switch } from "../../../kit/choice.tsx";
import { ConfirmDanger } from "../../../kit/dialog.tsx";
import { Status } from "../../../kit/status.tsx";
import { DataTable } from "../../../kit/table.tsx";
import { toast } from "../../../kit/toasts.ts";
import { Loaded } from "../../../parts/loaded.tsx";
import { api } from "../../client/api.ts";
import { useResource } from "../../client/resource.ts";
import { isAdmin, mayChangeThings, user } from "../../client/session.ts";
import { RuleDialog } from "./rule-dialog.tsx";
import { askedRule, ruleSentence, severities } from "./rule-words.ts";

type Layer = { kind: "form"; rule: AlertRule | null; start?: RuleInput } | { kind: "delete"; rule: AlertRule };

/** What is watched, each rule as a sentence. */
export function RulesTab() {
  const rules = useResource("GET /api/alerting/rules", { everyMs: 10_000 });
  const { labelOf, nameOf, targets } = useTargets();
  const [layer, open] = useState<Layer | null>(null);
  const close = (): void => open(null);
  useWish("rule", () => open({ kind: "form", rule: null }));
  const asked = query.value.get("new");
  useEffect(() => {
    if (asked === null || targets === null || !mayChangeThings()) return;
    const start = askedRule(query.peek(), targets);
    if (start !== null) open({ kind: "form", rule: null, start });
    // Asked once: a reload of this page does not open the dialog again.
    setQuery({ new: null, entity: null, above: null });
  }, [asked, targets]);
  const mayChange = (rule: AlertRule): boolean =>
    isAdmin() || (mayChangeThings() && rule.created_by === (user.value?.id ?? ""));

  const setEnabled = async (rule: AlertRule, enabled: boolean): Promise<void> => {
    try {
      await api("PUT /api/alerting/rules/{id}", { path: { id: rule.id }, body: { enabled } });
      toast(enabled ? "The rule is on." : "The rule is off. What it reported is closed.");
    } catch (error) {
      toast(asProblem(error).message, { state: "crit" });
    }
    void rules.refresh();
  };
  const remove = async (rule: AlertRule): Promise<void> => {
    try {
      await api("DELETE /api/alerting/rules/{id}", { path: { id: rule.id } });
    } catch (error) {
      throw new Error(asProblem(error).message);
    }
    rules.set((list) => list?.filter(({ id }) => id !== rule.id) ?? null);
    close();
    toast("The rule is deleted.");
  };
  const add = mayChangeThings() && (
    <Button kind="primary" icon="plus" size="sm" onClick={() => open({ kind: "form", rule: null })}>
      Add rule
    </Button>
  );
  return (
    <Card w={12} class="alertlist" title="Rules" actions={(rules.data.value?.length ?? 0) > 0 ? add : undefined}>
      <Loaded of={rules} what="Rules" skeleton={<Skeleton rows={5} />}>
        {(list) =>
          list.length === 0 ? (
            <EmptyState title="Nothing is watched" action={add}>
              A rule watches one thing, such as a disk that fills up, and tells you before it hurts.
            </EmptyState>
          ) : (
            <DataTable
              label="Rules"
              rows={list}
              keyOf={(rule) => rule.id}
              columns={[
                {
                  id: "name",
                  title: "When",
                  cell: (rule) => (
                    <span class="col rulename">
                      {mayChange(rule) ? (
                        <button type="button" class="link linkish w6" onClick={() => open({ kind: "form", rule })}>
                          {rule.name}
                        </button>
                      ) : (
                        <span class="w6">{rule.name}</span>
                      )}
                      <span class="t12 c3">{ruleSentence(rule, labelOf(rule), nameOf)}</span>
                    </span>
                  ),
                },
                {
                  id: "severity",
                  title: "Severity",
                  wide: true,
                  cell: ({ severity }) => (
                    <Status state={severities[severity].state}>{severities[severity].word}</Status>
                  ),
                },
                { id: "last", title: "Last fired", wide: true, cell: (rule) => <LastFired rule={rule} /> },
                {
                  id: "on",
                  title: "On",
                  number: true,
                  cell: (rule) => (
                    <Switch
                      checked={rule.enabled}
                      disabled={!mayChange(rule)}
                      onChecked={(enabled) => void setEnabled(rule, enabled)}
                    >
                      <span class="sr">{rule.name} is watched</span>
                    </Switch>
                  ),
                },
              ]}
            />
          )
        }
      </Loaded>
      {layer?.kind === "form" && targets !== null && (
        <RuleDialog
          rule={layer.rule}
          {...(layer.start === undefined ? {} : { start: layer.start })}
          targets={targets}
          onClose={close}
          onDelete={layer.rule === null ? undefined : () => layer.rule && open({ kind: "delete", rule: layer.rule })}
          onSaved={() => {
            close();
            void rules.refresh();
          }}
        />
      )}
      {layer?.kind === "delete" && (
        <ConfirmDanger
          title={`Delete ${layer.rule.name}?`}
          action="Delete rule"
          typed={null}
          onConfirm={() => remove(layer.rule)}
          onClose={close}
        >
          Nothing will watch for this any more. Its past events stay.
        </ConfirmDanger>
      )}
    </Card>
  );
}

function LastFired({ rule }: { rule: AlertRule }) {
  if (rule.open_events > 0)
    return <Status state={severities[rule.severity].state}>{count(rule.open_events, "open alert")}</Status>;
  if (rule.last_fired_at === null) return <span class="c3">Never</span>;
  return <span>{ago(rule.last_fired_at)}</span>;
}

/** What rules can be about, with the words for it. */
function useTargets(): {
  targets: RuleTargets | null;
  labelOf: (rule: Pick<AlertRule, "type" | "metric" | "entity">) => string;
  nameOf: (entity: string) => string;
} {
  const targets = useResource("GET /api/alerting/rules/targets").data.value;
  return {
    targets,
    labelOf: ({ type, metric, entity }) => {
      const list = (type === "state" ? targets?.states : targets?.metrics) ?? [];
      const [kind] = entity.split(":");
      return list.find((one) => one.name === metric && one.kind === kind)?.label ?? metric;
    },
    nameOf: (entity) =>
      targets?.entities.find((one) => one.entity === entity)?.name ?? entity.slice(entity.indexOf(":") + 1),
  };
}
