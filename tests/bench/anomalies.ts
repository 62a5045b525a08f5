import type { Measure } from "./bench.ts";
import { describeOutcome, judge, total } from "./nab/judge.ts";
import { readOwn } from "./nab/labelled.ts";

/** The anomaly detector on series in which people marked what was unusual. */
export const anomalies: Measure = {
  name: "nab",
  async run({ say }) {
    const outcomes = readOwn().map(judge);
    for (const outcome of outcomes) say(`  ${describeOutcome(outcome)}`);
    const isQuiet = ({ name }: { name: string }): boolean => name.startsWith("art-");
    const real = total(
      "real",
      outcomes.filter((outcome) => !isQuiet(outcome)),
    );
    const quiet = total("quiet", outcomes.filter(isQuiet));
    return [
      {
        measure: "false alerts on recorded series",
        value: real.falseAlerts / real.weeks,
        unit: "a series-week",
        limit: { kind: "most", value: 0.5 },
        baseline: null,
        note: `${real.falseAlerts} alerts outside the labels in ${real.weeks.toFixed(0)} weeks of NAB realKnownCause`,
      },
      {
        measure: "labelled windows hit",
        value: real.hit / real.windows,
        unit: "",
        limit: { kind: "least", value: 0.5 },
        baseline: null,
        note: `${real.hit} of ${real.windows} windows of NAB realKnownCause`,
      },
      {
        measure: "false alerts where nothing is unusual",
        value: quiet.falseAlerts,
        unit: "alerts",
        limit: { kind: "most", value: 0 },
        baseline: null,
        note: `${quiet.weeks.toFixed(0)} weeks of NAB artificialNoAnomaly`,
      },
    ];
  },
};
