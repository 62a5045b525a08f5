import { KINDS, makeSeries } from "../kit/made-series.ts";
import type { Measure } from "./bench.ts";
import { describeOutcome, judge, type Outcome, total } from "./nab/judge.ts";
import { readOwn } from "./nab/labelled.ts";

/** Seeds of the made-up series. Parameters were chosen on those of 1 to 6; these were only looked at afterwards. */
const JUDGE_SEEDS = [201, 202, 203, 204];

/** The detector on made-up series of many kinds, with seeds that no parameter was chosen by. */
function judgeMade(say: (line: string) => void): Outcome {
  const kinds = Object.keys(KINDS).map((kind) =>
    total(
      kind,
      JUDGE_SEEDS.map((seed) => judge(makeSeries(kind, seed))),
    ),
  );
  for (const outcome of kinds) say(`  ${describeOutcome(outcome)}`);
  return total("made-up", kinds);
}

/** The anomaly detector on series in which people marked what was unusual, and on made-up ones. */
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
    const made = judgeMade(say);
    say(`  ${describeOutcome(made)}`);
    return [
      {
        measure: "false alerts on made-up series",
        value: made.falseAlerts / made.weeks,
        unit: "a series-week",
        limit: { kind: "most", value: 0.2 },
        baseline: null,
        note: `${made.falseAlerts} alerts outside the marks in ${made.weeks.toFixed(0)} weeks of ${Object.keys(KINDS).length} kinds, seeds held back`,
      },
      {
        measure: "marked windows hit",
        value: made.hit / made.windows,
        unit: "",
        limit: { kind: "least", value: 0.6 },
        baseline: null,
        note: `${made.hit} of ${made.windows} windows of the same`,
      },
      {
        measure: "false alerts on recorded series",
        value: real.falseAlerts / real.weeks,
        unit: "a series-week",
        limit: { kind: "most", value: 0.2 },
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
