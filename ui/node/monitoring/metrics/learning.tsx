import type { Baseline } from "../../../../src/node/monitoring/baselines/contract.ts";
import { Progress } from "../../../kit/progress.tsx";
import { learningOf } from "./learned.ts";

/** One line while the usual is learned, with how far that is. */
export function Learning({ baseline }: { baseline: Baseline | null }) {
  const learning = baseline === null ? null : learningOf(baseline, Date.now());
  if (learning === null) return null;
  const { learned, needed } = learning;
  const words = `Learning what is normal: ${learned} of ${needed} h`;
  return (
    <p class="learning t13 c3">
      <span>{words}</span>
      <Progress value={(learned / needed) * 100} label={words} />
    </p>
  );
}
