import { useEffect, useRef, useState } from "preact/hooks";
import { bytesText, stopwatch } from "../../../client/format.ts";
import { Copy } from "../../../kit/copy.tsx";
import { Progress, type Step, Steps } from "../../../kit/progress.tsx";
import type { OperationStep, OperationView } from "./operation-events.ts";

/** Steps of a long work with their times and the download in bytes. */
export function OperationSteps({ view }: { view: OperationView }) {
  const [now, setNow] = useState(Date.now());
  useEffect(() => {
    if (view.status !== "running") return;
    const timer = setInterval(() => setNow(Date.now()), 500);
    return () => clearInterval(timer);
  }, [view.status]);
  const steps: Step[] = view.steps.map((step) => ({
    id: step.id,
    title: step.title,
    status: step.status,
    time: timeOf(step, now),
    sub:
      step.status === "running" ? <StepProgress step={step} now={now} /> : step.status === "failed" ? step.text : null,
  }));
  if (steps.length === 0) return <Steps steps={[beforeFirst(view)]} />;
  return <Steps steps={steps} />;
}

/** What is shown of a work of which no step is known. */
function beforeFirst({ status, error }: OperationView): Step {
  if (status === "running") return { id: "wait", title: "Getting ready", status };
  return { id: "wait", title: error ?? "It is over.", status };
}

function timeOf(step: OperationStep, now: number): string | null {
  if (step.startedAt === null) return null;
  return stopwatch((step.endedAt ?? Math.max(now, step.startedAt)) - step.startedAt);
}

function StepProgress({ step, now }: { step: OperationStep; now: number }) {
  if (step.bytesTotal === null || step.bytesTotal === 0)
    return step.percent === null ? (
      <span>
        {[step.bytesDone ? bytesText(step.bytesDone) : null, step.text].filter((part) => part !== null).join(", ")}
      </span>
    ) : (
      <Progress value={step.percent} label={step.title} />
    );
  const done = step.bytesDone ?? 0;
  const seconds = step.startedAt === null ? 0 : (now - step.startedAt) / 1000;
  const isTold = seconds > 1 && done > 0;
  const left = isTold ? `, ${stopwatch(((step.bytesTotal - done) / done) * seconds * 1000)} left` : "";
  const speed = isTold ? `, ${bytesText(done / seconds)}/s` : "";
  return (
    <span class="stepbar">
      <Progress value={(done / step.bytesTotal) * 100} label={step.title} />
      <span>
        {bytesText(done)} of {bytesText(step.bytesTotal)}
        {speed}
        {left}
        {step.text !== null && `, ${step.text}`}
      </span>
    </span>
  );
}

/** The log of a long work; stays at its end until scrolled. */
export function OperationLog({ view }: { view: OperationView }) {
  const box = useRef<HTMLDivElement>(null);
  const stick = useRef(true);
  useEffect(() => {
    if (box.current !== null && stick.current) box.current.scrollTop = box.current.scrollHeight;
  }, [view.log]);
  if (view.log.length === 0) return null;
  return (
    <div>
      <p class="sub-h">
        Log
        <span class="push">
          <Copy label="Copy the log" text={view.log.map((line) => `${line.at} ${line.text}`).join("\n")} />
        </span>
      </p>
      <div
        ref={box}
        class="log boxed"
        role="log"
        aria-live="off"
        aria-label="Log"
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard.
        tabIndex={0}
        onScroll={(event) => {
          const { scrollHeight, scrollTop, clientHeight } = event.currentTarget;
          stick.current = scrollHeight - scrollTop - clientHeight < 24;
        }}
      >
        {view.log.map((line, index) => (
          <div key={index} class="ln-row plain">
            <span class="ts">{line.at.slice(11, 23)}</span>
            <span class="msg">{line.text}</span>
          </div>
        ))}
      </div>
    </div>
  );
}
