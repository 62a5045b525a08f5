import type { ComponentChildren } from "preact";
import { Icon } from "./icon.tsx";

type Tone = "" | "acc" | "ok" | "warn" | "crit" | "off";

/** How much of something is used, 0 to 100. */
export function Meter({ value, label, tone = "" }: { value: number; label: string; tone?: Tone }) {
  const shown = Math.min(100, Math.max(0, value));
  return (
    // biome-ignore lint/a11y/useSemanticElements: a native meter cannot take the colours of the theme.
    <span
      class={`bar ${tone}`}
      role="meter"
      aria-label={label}
      aria-valuenow={Math.round(shown)}
      aria-valuemin={0}
      aria-valuemax={100}
    >
      <i style={{ "--v": `${shown}%` }} />
    </span>
  );
}

/** How far something is; null while that is not known. */
export function Progress({ value, label }: { value: number | null; label: string }) {
  const now = value === null ? {} : { "aria-valuenow": Math.round(value) };
  return (
    <span
      class={`bar acc ${value === null ? "endless" : ""}`}
      role="progressbar"
      aria-label={label}
      aria-valuemin={0}
      aria-valuemax={100}
      {...now}
    >
      <i style={{ "--v": `${value ?? 30}%` }} />
    </span>
  );
}

/** A ring of progress for tight places. */
export function Ring({ value }: { value: number | null }) {
  return (
    <svg class={`ring ${value === null ? "spin-slow" : ""}`} viewBox="0 0 36 36" aria-hidden="true">
      <circle cx="18" cy="18" r="15.92" />
      <circle class="v" cx="18" cy="18" r="15.92" style={{ "--p": String(Math.min(100, value ?? 25)) }} />
    </svg>
  );
}

export interface Step {
  id: string;
  title: string;
  status: "pending" | "running" | "done" | "failed";
  time?: string | null;
  sub?: ComponentChildren;
}

/** The steps of a long work, in order. */
export function Steps({ steps }: { steps: Step[] }) {
  const classes = { pending: "later", running: "now", done: "done", failed: "bad" };
  const words = { pending: "not started", running: "running", done: "done", failed: "failed" };
  return (
    <ol class="steps">
      {steps.map((step, index) => (
        <li key={step.id} class={classes[step.status]} aria-current={step.status === "running" ? "step" : undefined}>
          <span class="n">
            {step.status === "done" && <Icon name="check" />}
            {step.status === "failed" && <Icon name="x" />}
            {step.status === "running" && <span class="spin" />}
            {step.status === "pending" && index + 1}
          </span>
          <div class="col">
            <p class="w5">
              {step.title}
              <span class="sr">, {words[step.status]}</span>
            </p>
            {step.sub !== undefined && step.sub !== null && <div class="sub">{step.sub}</div>}
          </div>
          <span class="time">{step.time}</span>
        </li>
      ))}
    </ol>
  );
}

/** A number with its unit. */
export function Stat({ value, unit }: { value: ComponentChildren; unit: ComponentChildren }) {
  return (
    <p class="stat">
      <b>{value}</b>
      <span class="u">{unit}</span>
    </p>
  );
}
