import type { RuleInput, RuleTargets } from "../../../../src/node/monitoring/alerting/contract.ts";
import { Select } from "../../../kit/choice.tsx";
import { spanChoices, typedUnits } from "./rule-words.ts";

interface Props {
  input: RuleInput;
  targets: RuleTargets;
  onChange: (next: Partial<RuleInput>) => void;
}

const kindNames: Record<string, string> = {
  host: "this server",
  app: "any app",
  app_backup: "any app",
  iface: "any network interface",
  fs: "any filesystem",
  disk: "any disk",
  backup: "backups",
  domain: "any domain",
};

/** The condition as a sentence whose parts can be chosen. */
export function RuleSentence({ input, targets, onChange }: Props) {
  const kind = (input.entity ?? "host").split(":")[0] ?? "host";
  const list = input.type === "state" ? targets.states : targets.metrics;
  const known = list.find((one) => one.name === input.metric && one.kind === kind);
  const forSeconds = typeof input.for === "number" ? input.for : 0;
  if (input.type === "absence") {
    return (
      <div class="sentence">
        <span>When there is no data about</span>
        <Place kind={kind} anyKind input={input} targets={targets} onChange={onChange} />
        <Lasting seconds={forSeconds} least={60} onChange={onChange} />
      </div>
    );
  }
  return (
    <div class="sentence">
      <span>When</span>
      <Metric kind={kind} input={input} targets={targets} onChange={onChange} />
      <span>of</span>
      <Place kind={kind} input={input} targets={targets} onChange={onChange} />
      {input.type === "state" && <span>is reported</span>}
      {input.type === "anomaly" && <Unusual input={input} onChange={onChange} />}
      {(input.type === "threshold" || input.type === "rate") && (
        <Level input={input} unit={known?.unit ?? "none"} onChange={onChange} />
      )}
      {input.type === "threshold" && <Lasting seconds={forSeconds} onChange={onChange} />}
      {input.type === "rate" && <Lasting seconds={forSeconds} least={300} onChange={onChange} />}
    </div>
  );
}

function Metric({ kind, input, targets, onChange }: Props & { kind: string }) {
  const list = input.type === "state" ? targets.states : targets.metrics;
  const usable =
    input.type === "anomaly" ? list.filter((one) => one.kind === "host" && !one.name.startsWith("disk_p")) : list;
  const choose = (value: string): void => {
    const [nextKind = "host", metric = ""] = value.split(" ");
    const entity = nextKind === "host" || nextKind === "backup" ? nextKind : `${nextKind}:*`;
    onChange({ metric, ...(nextKind === kind ? {} : { entity }) });
  };
  return (
    <Select
      label="What is watched"
      value={`${kind} ${input.metric ?? ""}`}
      options={usable.map((one) => ({
        value: `${one.kind} ${one.name}`,
        label: one.kind === "host" || input.type === "state" ? one.label : `${one.label} (${kindWord(one.kind)})`,
      }))}
      onValue={choose}
    />
  );
}

const kindWord = (kind: string): string => ({ app: "app", iface: "interface", fs: "filesystem" })[kind] ?? kind;

function Place({ kind, anyKind = false, input, targets, onChange }: Props & { kind: string; anyKind?: boolean }) {
  const some = targets.entities.filter((one) => anyKind || one.kind === kind);
  const whole =
    kind === "host" || kind === "backup" || anyKind ? [] : [{ value: `${kind}:*`, label: kindNames[kind] ?? kind }];
  const options = [
    ...whole,
    ...(kind === "backup" ? [{ value: "backup", label: "this server" }] : []),
    ...some.map(({ entity, name }) => ({ value: entity, label: entity === "host" ? "this server" : name })),
  ];
  const current = input.entity ?? "host";
  const has = options.some(({ value }) => value === current);
  return (
    <Select
      label="Of what"
      value={current}
      options={has ? options : [{ value: current, label: current }, ...options]}
      onValue={(entity) => onChange({ entity })}
    />
  );
}

function Level({ input, unit, onChange }: Omit<Props, "targets"> & { unit: string }) {
  const { name, size } = typedUnits[unit] ?? { name: "", size: 1 };
  const isRate = input.type === "rate";
  return (
    <>
      {!isRate && <span>is</span>}
      <Select
        label="Which way"
        value={input.op?.startsWith("<") ? "<" : ">"}
        options={[
          { value: ">", label: isRate ? "rises by more than" : "above" },
          { value: "<", label: isRate ? "changes by less than" : "below" },
        ]}
        onValue={(op) => onChange({ op })}
      />
      <span class="input level">
        <input
          type="number"
          step="any"
          aria-label="Threshold"
          value={(input.threshold ?? 0) / size}
          onInput={({ currentTarget: { valueAsNumber } }) => {
            if (Number.isFinite(valueAsNumber)) onChange({ threshold: valueAsNumber * size });
          }}
        />
        {name !== "" && <span class="unit">{name}</span>}
      </span>
      {isRate && <span>over</span>}
    </>
  );
}

function Unusual({ input, onChange }: Omit<Props, "targets">) {
  const current = String(input.sensitivity ?? 2);
  const usual = ["2", "3", "4", "5"];
  return (
    <>
      <span>is at least</span>
      <Select
        label="How unusual"
        value={current}
        options={(usual.includes(current) ? usual : [current, ...usual]).map((value) => ({
          value,
          label: `${value} deviations`,
        }))}
        onValue={(value) => onChange({ sensitivity: Number(value) })}
      />
      <span>from what is usual at that hour of the week</span>
    </>
  );
}

function Lasting({ seconds, least = 0, onChange }: { seconds: number; least?: number; onChange: Props["onChange"] }) {
  return (
    <Select
      label="For how long"
      value={String(seconds)}
      options={spanChoices(seconds, least)}
      onValue={(value) => onChange({ for: Number(value) })}
    />
  );
}
