import { useState } from "preact/hooks";
import type { AlertRule, RuleInput, RuleTargets } from "../../../../src/node/monitoring/alerting/contract.ts";
import { Checkbox, Segmented, Select } from "../../../kit/choice.tsx";
import { Input } from "../../../kit/field.tsx";
import { toast } from "../../../kit/toasts.ts";
import { useAttempt } from "../../../parts/attempt.ts";
import { deleteButton, FormDialog } from "../../../parts/form-dialog.tsx";
import { api } from "../../client/api.ts";
import { useResource } from "../../client/resource.ts";
import { RulePreviewPart } from "./rule-preview.tsx";
import { RuleSentence } from "./rule-sentence.tsx";
import { firstRule } from "./rule-words.ts";

const types: { value: RuleInput["type"]; label: string }[] = [
  { value: "threshold", label: "Value" },
  { value: "rate", label: "Change" },
  { value: "anomaly", label: "Unusual" },
  { value: "absence", label: "No data" },
  { value: "state", label: "Event" },
];

/** A new rule of each type. */
const starts: Record<RuleInput["type"], RuleInput> = {
  threshold: firstRule,
  rate: { type: "rate", metric: "disk_percent", entity: "host", op: ">", threshold: 5, for: 3600, severity: "warning" },
  anomaly: { type: "anomaly", metric: "cpu_percent", entity: "host", sensitivity: 2, severity: "warning" },
  absence: { type: "absence", entity: "host", for: 300, severity: "warning" },
  state: { type: "state", metric: "app_crashed", entity: "app:*", severity: "warning" },
};

function inputOf(rule: AlertRule): RuleInput {
  const { type, metric, entity, op, threshold, clear_threshold, sensitivity } = rule;
  const level = type === "threshold" || type === "rate" ? { op, threshold, clear_threshold } : {};
  return {
    type,
    ...(type === "absence" ? {} : { metric }),
    entity,
    ...level,
    ...(type === "anomaly" ? { sensitivity } : {}),
    for: rule.for,
    severity: rule.severity,
    channel_ids: rule.channel_ids,
    name: rule.name,
  };
}

/** A rule as one sentence, with what it would have done. */
export function RuleDialog({
  rule,
  start = firstRule,
  targets,
  onClose,
  onSaved,
  onDelete,
}: {
  rule: AlertRule | null;
  /** What a new rule begins with. */
  start?: RuleInput;
  targets: RuleTargets;
  onClose: () => void;
  onSaved: () => void;
  onDelete: (() => void) | undefined;
}) {
  const [input, set] = useState<RuleInput>(rule === null ? start : inputOf(rule));
  const attempt = useAttempt();
  const { name, ...condition } = input;
  const change = (next: Partial<RuleInput>): void => {
    const moved = next.threshold !== undefined || next.op !== undefined || next.metric !== undefined;
    const { clear_threshold: _, ...kept } = input;
    set({ ...(moved ? kept : input), ...next });
  };
  const save = async (): Promise<void> => {
    const body = name === undefined || name.trim() === "" ? condition : input;
    const done = await attempt.send(async () => {
      if (rule === null) await api("POST /api/alerting/rules", { body });
      else await api("PUT /api/alerting/rules/{id}", { path: { id: rule.id }, body });
    });
    if (!done) return;
    toast(rule === null ? "The rule is on." : "The rule is changed.");
    onSaved();
  };
  return (
    <FormDialog
      title={rule === null ? "Add rule" : "Change rule"}
      width="md"
      action={rule === null ? "Add rule" : "Save"}
      aside={deleteButton(onDelete)}
      ready
      attempt={attempt}
      refusal={attempt.besides("name")}
      onSubmit={() => void save()}
      onClose={onClose}
    >
      <Segmented
        label="What to watch"
        size="wide"
        value={input.type}
        options={types}
        onValue={(type) => set({ ...starts[type], ...(name === undefined ? {} : { name }) })}
      />
      <RuleSentence input={input} targets={targets} onChange={change} />
      <Tell input={input} onChange={change} />
      <Input
        label="Name"
        value={name ?? ""}
        onValue={(text) => change({ name: text })}
        hint="Left empty, the sentence itself is the name."
        error={attempt.errorOf("name")}
      />
      <RulePreviewPart condition={condition} />
    </FormDialog>
  );
}

function Tell({ input, onChange }: { input: RuleInput; onChange: (next: Partial<RuleInput>) => void }) {
  const channels = useResource("GET /api/alerting/channels").data.value ?? [];
  const chosen = input.channel_ids ?? "all";
  const all = chosen === "all";
  return (
    <div class="stack">
      <div class="sentence">
        <span>as</span>
        <Select
          label="Severity"
          value={input.severity ?? "warning"}
          options={[
            { value: "info", label: "info" },
            { value: "warning", label: "a warning" },
            { value: "critical", label: "critical" },
          ]}
          onValue={(severity) => onChange({ severity })}
        />
        <span>and tell</span>
        <Select
          label="Channels"
          value={all ? "all" : "some"}
          options={[
            { value: "all", label: "every channel" },
            { value: "some", label: "chosen channels" },
          ]}
          onValue={(value) => onChange({ channel_ids: value === "all" ? "all" : [] })}
        />
      </div>
      {all && channels.length === 0 && (
        <p class="hint">
          <span>
            There is no channel yet, so alerts show on this dashboard only.{" "}
            <a class="link" href="/alerts?tab=channels">
              Add channel
            </a>
          </span>
        </p>
      )}
      {!all &&
        channels.map(({ id, name }) => (
          <Checkbox
            key={id}
            checked={chosen.includes(id)}
            onChecked={(on) => onChange({ channel_ids: on ? [...chosen, id] : chosen.filter((one) => one !== id) })}
          >
            {name}
          </Checkbox>
        ))}
      {!all && chosen.length === 0 && <p class="hint">With no channel chosen, alerts show on this dashboard only.</p>}
    </div>
  );
}
