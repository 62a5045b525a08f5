import { useState } from "preact/hooks";
import type { Keep, Schedule, Target } from "../../../../src/node/backups/backups/contract.ts";
import { moment } from "../../../client/format.ts";
import { Button } from "../../../kit/button.tsx";
import { Card } from "../../../kit/card.tsx";
import { Select, Switch } from "../../../kit/choice.tsx";
import { Input } from "../../../kit/field.tsx";
import { useAttempt } from "../../../parts/attempt.ts";
import { Refusal } from "../../../parts/refusal.tsx";
import { api } from "../../client/api.ts";

const TIME = /^([01]?[0-9]|2[0-3]):[0-5][0-9]$/;

const KINDS: { name: keyof Keep; label: string }[] = [
  { name: "last", label: "Last" },
  { name: "daily", label: "Days" },
  { name: "weekly", label: "Weeks" },
  { name: "monthly", label: "Months" },
];
const USUAL: Keep = { last: 3, daily: 7, weekly: 4, monthly: 6 };

/** What was typed as numbers; null where one of them is none. */
function readKeep(typed: Readonly<Record<keyof Keep, string>>): Keep | null {
  const isGood = KINDS.every(({ name }) => /^\d{1,3}$/.test(typed[name].trim())) && Number(typed.last) >= 1;
  if (!isGood) return null;
  const { last, daily, weekly, monthly } = typed;
  return { last: Number(last), daily: Number(daily), weekly: Number(weekly), monthly: Number(monthly) };
}

const two = (number: number): string => String(number).padStart(2, "0");

/** Everything, once a day. */
export function ScheduleCard({
  schedule,
  targets,
  onChange,
}: {
  schedule: Schedule;
  targets: readonly Target[];
  onChange: () => void;
}) {
  const [enabled, setEnabled] = useState(schedule.enabled);
  const [target, setTarget] = useState(schedule.target ?? targets[0]?.id ?? "");
  const [time, setTime] = useState(`${two(schedule.hour)}:${two(schedule.minute)}`);
  const [keepsAll, setKeepsAll] = useState(schedule.keep === null);
  const { last, daily, weekly, monthly } = schedule.keep ?? USUAL;
  const [counts, setCounts] = useState({
    last: String(last),
    daily: String(daily),
    weekly: String(weekly),
    monthly: String(monthly),
  });
  const keep = readKeep(counts);
  const attempt = useAttempt();
  const [hour = 0, minute = 0] = time.trim().split(":").map(Number);
  const isReady = TIME.test(time.trim()) && (keepsAll || keep !== null);
  const save = () =>
    void attempt.send(async () => {
      await api("PUT /api/backup/schedule", { body: { enabled, target, hour, minute, keep: keepsAll ? null : keep } });
      onChange();
    });
  return (
    <Card
      title="Every day"
      aside={schedule.next_run_at === null ? "off" : `next ${moment(schedule.next_run_at)}`}
      foot={
        <Button class="push" size="sm" busy={attempt.busy} disabled={!isReady} onClick={save}>
          Save
        </Button>
      }
    >
      <div class="backupverdict">
        <Switch checked={enabled} onChecked={setEnabled} sub="The newest is read back once a week.">
          Back up everything every day
        </Switch>
        <Select
          label="Target of the daily backup"
          value={target}
          options={targets.map(({ id, name }) => ({ value: id, label: name }))}
          onValue={setTarget}
        />
        <Input
          label="At"
          value={time}
          onValue={setTime}
          hint="Hours and minutes, in the server's own zone. Apps stand still while their data is copied, if not said otherwise below."
        />
        <Switch
          checked={keepsAll}
          onChecked={setKeepsAll}
          sub="Otherwise the last ones stay, and the newest of so many days, weeks and months."
        >
          Keep all of this server's backups
        </Switch>
        {!keepsAll && (
          <div class="backupkeep">
            {KINDS.map(({ name, label }) => (
              <Input
                key={name}
                label={label}
                value={counts[name]}
                inputMode="numeric"
                onValue={(value) => setCounts((now) => ({ ...now, [name]: value }))}
              />
            ))}
          </div>
        )}
        {attempt.problem !== null && <Refusal problem={attempt.problem} />}
      </div>
    </Card>
  );
}
