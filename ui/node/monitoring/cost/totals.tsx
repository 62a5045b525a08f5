import type { CostSummary } from "../../../../src/node/monitoring/cost/contract.ts";
import { count, day } from "../../../client/format.ts";
import { Card } from "../../../kit/card.tsx";
import { useResource } from "../../client/resource.ts";
import { money } from "./money.ts";

/** The three figures that matter: spent, a month ahead, and what could be saved. */
export function Totals({ summary }: { summary: CostSummary }) {
  const advice = useResource("GET /api/cost/recommendations", { everyMs: 300_000 }).data.value;
  const { currency, total, monthly_estimate, from, measured_hours, cpu_cost, memory_cost, disk_cost } = summary;
  const show = (amount: number): string => money(amount, currency);
  const parts = [
    { label: "Processor", cost: cpu_cost, colour: "--c1" },
    { label: "Memory", cost: memory_cost, colour: "--c3" },
    { label: "Disk", cost: disk_cost, colour: "--c2" },
  ];
  return (
    <Card class="totals">
      {summary.rates_are_defaults && (
        <p class="example t13 c2">
          <b class="w5">Computed with example rates</b>, not with what you pay. Enter yours under Rates.
        </p>
      )}
      <div class="card-b">
        <Figure label={`Since ${day(from)}`} value={show(total)}>
          {count(Math.round(measured_hours), "hour")} measured
        </Figure>
        <Figure label="A month like this" value={monthly_estimate === null ? "–" : show(monthly_estimate)}>
          {monthly_estimate === null ? "known after a day of measurements" : "if all goes on"}
        </Figure>
        <Figure label="Could be saved" value={advice === null ? "–" : show(advice.saving_per_month)}>
          a month, {advice === null ? "" : count(advice.recommendations.length, "suggestion")}
        </Figure>
        <div class="col split">
          <span
            class="bar parts"
            role="img"
            aria-label={parts.map((part) => `${part.label} ${show(part.cost)}`).join(", ")}
          >
            {parts.map(({ label, cost, colour }) => (
              <i key={label} style={{ "--k": `var(${colour})`, width: `${total > 0 ? (cost / total) * 100 : 0}%` }} />
            ))}
          </span>
          <p class="legend" aria-hidden="true">
            {parts.map(({ label, cost, colour }) => (
              <span key={label} class="kv">
                <i style={{ "--k": `var(${colour})` }} />
                {label}
                <b>{show(cost)}</b>
              </span>
            ))}
          </p>
        </div>
      </div>
    </Card>
  );
}

function Figure({ label, value, children }: { label: string; value: string; children: preact.ComponentChildren }) {
  return (
    <div class="col figure">
      <span class="t13 c3">{label}</span>
      <b class="t22">{value}</b>
      <span class="t12 c3">{children}</span>
    </div>
  );
}
