import { useEffect, useState } from "preact/hooks";
import type { RuleInput, RulePreview } from "../../../../src/node/monitoring/alerting/contract.ts";
import { count, moment, percent } from "../../../client/format.ts";
import { asProblem } from "../../../client/problem.ts";
import { Status } from "../../../kit/status.tsx";
import { TimeChart } from "../../../kit/time-chart.tsx";
import { api } from "../../client/api.ts";
import { valueText } from "./rule-words.ts";

const waitMs = 400;
/** With a smaller share of the day measured, the preview neither says that nothing would have happened nor draws a curve. */
const little = 0.05;
const shownSpans = 5;

/** What the rule would have done in the last 24 hours, a moment after each change. */
export function RulePreviewPart({ condition }: { condition: RuleInput }) {
  const [preview, setPreview] = useState<RulePreview | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const key = JSON.stringify(condition);
  useEffect(() => {
    const abort = new AbortController();
    const timer = setTimeout(() => {
      api("POST /api/alerting/rules/preview", { body: condition, signal: abort.signal })
        .then((next) => {
          setPreview(next);
          setProblem(null);
        })
        .catch((error: unknown) => {
          if (!abort.signal.aborted) setProblem(asProblem(error).message);
        });
    }, waitMs);
    return () => {
      clearTimeout(timer);
      abort.abort();
    };
  }, [key]);
  if (problem !== null) return <p class="hint warn">{problem}</p>;
  if (preview === null) return <p class="hint">Looking at the last 24 hours…</p>;
  return <Outcome preview={preview} />;
}

const highest = (values: (number | null)[]): number => Math.max(0, ...values.map((value) => value ?? 0));

function verdict({ status, reason, would_fire, coverage }: RulePreview): {
  state: "ok" | "info" | "warn";
  text: string;
} {
  if (status === "insufficient_data") return { state: "info", text: `The past cannot tell yet. ${reason ?? ""}` };
  const part = coverage < 0.95 ? ` (${percent(coverage * 100)} of them were measured)` : "";
  if (would_fire === 0)
    return { state: coverage < little ? "info" : "ok", text: `It would not have fired in the last 24 hours${part}.` };
  const noisy = would_fire > 6 ? " That is a lot: a higher limit or a longer time would be calmer." : "";
  const state = would_fire > 6 ? "warn" : "info";
  return { state, text: `It would have fired ${count(would_fire, "time")} in the last 24 hours${part}.${noisy}` };
}

function Outcome({ preview }: { preview: RulePreview }) {
  const { state, text } = verdict(preview);
  const { chart, spans } = preview;
  return (
    <div class="rulepast" aria-live="polite">
      <Status state={state}>
        <span class="wrap">{text}</span>
      </Status>
      {chart === null && spans.length > 0 && (
        <ul class="t13 c3">
          {spans.slice(-shownSpans).map(({ entity, entity_name, started_at, ended_at }) => (
            <li key={`${entity} ${started_at}`}>
              {entity_name}: {moment(started_at)}
              {ended_at === null ? ", and it goes on" : ` to ${moment(ended_at)}`}
            </li>
          ))}
        </ul>
      )}
      {chart !== null && preview.coverage >= little && (
        <TimeChart
          label={`${chart.entity_name} in the last 24 hours`}
          series={[{ label: chart.entity_name, values: chart.values }]}
          times={chart.values.map((_, index) => Date.parse(chart.start) + index * chart.step_seconds * 1000)}
          format={(value) => valueText(value, chart.unit)}
          height={96}
          {...(chart.unit === "percent" && highest(chart.values) <= 100 ? { max: 100 } : { least: chart.threshold })}
          limit={{ value: chart.threshold, label: "Limit" }}
          markers={spans
            .filter(({ entity }) => entity === chart.entity)
            .slice(-20)
            .map(({ started_at }) => ({ t: Date.parse(started_at), label: `Would fire ${moment(started_at)}` }))}
          legend={false}
          table={false}
        />
      )}
    </div>
  );
}
