import { useState } from "preact/hooks";
import { Button } from "../../../kit/button.tsx";
import { Dialog } from "../../../kit/dialog.tsx";
import { Field } from "../../../kit/field.tsx";
import { dayStart, localText, type Part, partProblem, yearMs } from "./view.ts";

const dayMs = 86_400_000;

/** Spans that are asked for most, beside the ranges that end now. */
const usual: { label: string; partAt: (now: number) => Part }[] = [
  { label: "Today", partAt: (now) => ({ from: dayStart(now, 0), to: now }) },
  { label: "Yesterday", partAt: (now) => ({ from: dayStart(now, 1), to: dayStart(now, 0) }) },
  { label: "Last 90 days", partAt: (now) => ({ from: now - 90 * dayMs, to: now }) },
  { label: "Last year", partAt: (now) => ({ from: now - yearMs, to: now }) },
];

/** Asks for any part of the last year, with the pickers that the browser or the phone has. */
export function SpanDialog({
  shown,
  onPart,
  onClose,
}: {
  shown: Part;
  onPart: (part: Part) => void;
  onClose: () => void;
}) {
  const [now] = useState(Date.now);
  const [from, setFrom] = useState(localText(shown.from));
  const [to, setTo] = useState(localText(Math.min(now, shown.to)));
  const [wasSent, setSent] = useState(false);
  const part = { from: Date.parse(from), to: Date.parse(to) };
  const problem = partProblem(part, now);
  const limits = { min: localText(now - yearMs), max: localText(now) };
  const send = (): void => {
    setSent(true);
    if (problem === null) onPart(part);
  };
  return (
    <Dialog
      title="Show a time"
      sub="Minutes are kept for a day, hours for 30 days and days for a year."
      width="sm"
      onClose={onClose}
      foot={
        <>
          <Button class="push" onClick={onClose}>
            Cancel
          </Button>
          <Button kind="primary" onClick={send}>
            Show
          </Button>
        </>
      }
    >
      <form
        class="stack"
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          send();
        }}
      >
        <Moment
          label="From"
          value={from}
          {...limits}
          onValue={setFrom}
          error={wasSent && problem?.field === "from" ? problem.text : null}
        />
        <Moment
          label="To"
          value={to}
          {...limits}
          onValue={setTo}
          error={wasSent && problem?.field === "to" ? problem.text : null}
        />
        <div class="row wrap">
          {usual.map(({ label, partAt }) => (
            <Button key={label} size="sm" onClick={() => onPart(partAt(now))}>
              {label}
            </Button>
          ))}
        </div>
        <button type="submit" hidden />
      </form>
    </Dialog>
  );
}

function Moment({
  label,
  value,
  min,
  max,
  error,
  onValue,
}: {
  label: string;
  value: string;
  min: string;
  max: string;
  error: string | null;
  onValue: (value: string) => void;
}) {
  return (
    <Field label={label} error={error}>
      {({ id, describedBy }) => (
        <span class={`input ${error === null ? "" : "is-error"}`}>
          <input
            type="datetime-local"
            id={id}
            aria-describedby={describedBy}
            aria-invalid={error === null ? undefined : true}
            value={value}
            min={min}
            max={max}
            onInput={(event) => onValue(event.currentTarget.value)}
          />
        </span>
      )}
    </Field>
  );
}
