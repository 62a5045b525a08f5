import { useState } from "preact/hooks";
import type { Keep, Plan, Target } from "../../../../src/node/backups/backups/contract.ts";
import { Button } from "../../../kit/button.tsx";
import { Checkbox, Select, Switch } from "../../../kit/choice.tsx";
import { Input } from "../../../kit/field.tsx";
import { useAttempt } from "../../../parts/attempt.ts";
import { FormDialog } from "../../../parts/form-dialog.tsx";
import { api } from "../../client/api.ts";
import { AppChoice } from "./run-dialog.tsx";
import { type Rhythm, readWhen, WEEKDAYS, writeWhen } from "./when.ts";

const RHYTHMS: { value: Rhythm; label: string }[] = [
  { value: "hourly", label: "Every hour" },
  { value: "daily", label: "Every day" },
  { value: "weekly", label: "Every week" },
  { value: "monthly", label: "Every month" },
  { value: "own", label: "My own times (cron)" },
];
const KINDS: { name: keyof Keep; label: string }[] = [
  { name: "last", label: "Last" },
  { name: "hourly", label: "Hours" },
  { name: "daily", label: "Days" },
  { name: "weekly", label: "Weeks" },
  { name: "monthly", label: "Months" },
];
const USUAL: Keep = { last: 3, hourly: 0, daily: 7, weekly: 4, monthly: 6 };
const JITTER = 10;
const JITTERS = [0, 10, 30, 60, 120];

/** What was typed as numbers; null where one of them is none. */
function readKeep(typed: Readonly<Record<keyof Keep, string>>): Keep | null {
  const isGood = KINDS.every(({ name }) => /^\d{1,3}$/.test(typed[name].trim())) && Number(typed.last) >= 1;
  if (!isGood) return null;
  const { last, hourly, daily, weekly, monthly } = typed;
  return {
    last: Number(last),
    hourly: Number(hourly),
    daily: Number(daily),
    weekly: Number(weekly),
    monthly: Number(monthly),
  };
}

/** Makes a plan, or changes one. */
export function PlanDialog({
  plan,
  targets,
  apps,
  onClose,
  onSaved,
}: {
  plan: Plan | null;
  targets: readonly Target[];
  apps: readonly { id: string; name: string }[];
  onClose: () => void;
  onSaved: () => void;
}) {
  const [name, setName] = useState(plan?.name ?? "Every night");
  const [enabled, setEnabled] = useState(plan?.enabled ?? true);
  const [target, setTarget] = useState(plan?.target ?? targets[0]?.id ?? "");
  const [when, setWhen] = useState(readWhen(plan?.cron ?? "30 3 * * *"));
  const [jitter, setJitter] = useState(plan?.jitter_minutes ?? JITTER);
  const [config, setConfig] = useState(plan?.include_config ?? true);
  const [allApps, setAllApps] = useState(plan === null || plan.apps === null);
  const chosen = plan?.apps ?? null;
  const [left, setLeft] = useState<ReadonlySet<string>>(
    new Set(chosen === null ? [] : apps.map(({ id }) => id).filter((id) => !chosen.includes(id))),
  );
  const [keepsAll, setKeepsAll] = useState(plan !== null && plan.keep === null);
  const { last, hourly, daily, weekly, monthly } = plan?.keep ?? USUAL;
  const [counts, setCounts] = useState({
    last: String(last),
    hourly: String(hourly),
    daily: String(daily),
    weekly: String(weekly),
    monthly: String(monthly),
  });
  const attempt = useAttempt();
  const keep = readKeep(counts);
  const cron = writeWhen(when);
  const inPlan = apps.map(({ id }) => id).filter((id) => !left.has(id));
  const isReady =
    name.trim() !== "" &&
    target !== "" &&
    cron !== null &&
    (keepsAll || keep !== null) &&
    (config || allApps || inPlan.length > 0);
  const save = () =>
    void attempt.send(async () => {
      if (cron === null) return;
      const body = {
        name: name.trim(),
        enabled,
        target,
        cron,
        jitter_minutes: jitter,
        apps: allApps ? null : inPlan,
        include_config: config,
        keep: keepsAll ? null : keep,
      };
      if (plan === null) await api("POST /api/backup/plans", { body });
      else await api("PUT /api/backup/plans/{id}", { path: { id: plan.id }, body });
      onSaved();
    });
  const remove = () =>
    void attempt.send(async () => {
      if (plan === null) return;
      await api("DELETE /api/backup/plans/{id}", { path: { id: plan.id } });
      onSaved();
    });
  return (
    <FormDialog
      title={plan === null ? "Add a plan" : "Change a plan"}
      sub="What was missed while the server was off is done once, when it is on again."
      action="Save"
      aside={
        plan !== null && (
          <Button kind="danger" onClick={remove}>
            Remove
          </Button>
        )
      }
      ready={isReady}
      attempt={attempt}
      onSubmit={save}
      onClose={onClose}
    >
      <Input label="Name" value={name} onValue={setName} />
      <Switch checked={enabled} onChecked={setEnabled} sub="Off, it waits and nothing is made.">
        On
      </Switch>
      <Select
        label="Target of the plan"
        value={target}
        options={targets.map(({ id, name: label }) => ({ value: id, label }))}
        onValue={setTarget}
      />
      <Select
        label="How often"
        value={when.rhythm}
        options={RHYTHMS}
        onValue={(rhythm) => setWhen((now) => ({ ...now, rhythm }))}
      />
      {when.rhythm === "weekly" && (
        <Select
          label="Day of the week"
          value={String(when.weekday)}
          options={WEEKDAYS.map((label, day) => ({ value: String(day), label }))}
          onValue={(day) => setWhen((now) => ({ ...now, weekday: Number(day) }))}
        />
      )}
      {when.rhythm === "own" ? (
        <Input
          label="Cron"
          value={when.cron}
          onValue={(typed) => setWhen((now) => ({ ...now, cron: typed }))}
          hint="Minute, hour, day, month, weekday, in the server's own zone, such as 0 */6 * * * for every six hours."
        />
      ) : (
        <Input
          label="At"
          value={when.time}
          onValue={(time) => setWhen((now) => ({ ...now, time }))}
          hint={
            when.rhythm === "hourly"
              ? "Of the hours and minutes only the minutes count."
              : "Hours and minutes, in the server's own zone."
          }
        />
      )}
      <Select
        label="It may begin later by"
        value={String(jitter)}
        options={[...new Set([...JITTERS, jitter])].map((minutes) => ({
          value: String(minutes),
          label: minutes === 0 ? "Exactly then" : `Up to ${minutes} minutes later`,
        }))}
        onValue={(minutes) => setJitter(Number(minutes))}
      />
      <Checkbox checked={config} onChecked={setConfig}>
        Settings, users, secrets, buckets and Drives
      </Checkbox>
      <Checkbox checked={allApps} onChecked={setAllApps} sub="Those that are installed later, too.">
        All apps
      </Checkbox>
      {!allApps && <AppChoice apps={apps} left={left} onLeft={setLeft} />}
      <Switch
        checked={keepsAll}
        onChecked={setKeepsAll}
        sub="Otherwise the last ones stay, and the newest of so many hours, days, weeks and months."
      >
        Keep all of its backups
      </Switch>
      {!keepsAll && (
        <div class="backupkeep">
          {KINDS.map(({ name: kind, label }) => (
            <Input
              key={kind}
              label={label}
              value={counts[kind]}
              inputMode="numeric"
              onValue={(value) => setCounts((now) => ({ ...now, [kind]: value }))}
            />
          ))}
        </div>
      )}
    </FormDialog>
  );
}
