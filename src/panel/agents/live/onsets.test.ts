import { expect, test } from "bun:test";
import { createOnsets } from "./onsets.ts";

test("what goes on keeps its beginning, what is over is forgotten, what comes back begins anew", () => {
  const onsets = createOnsets();
  onsets.follow(1, ["cpu_high"], 100);
  onsets.follow(1, ["cpu_high", "agent_critical"], 200);
  expect(onsets.of(1)).toEqual({ cpu_high: 100, agent_critical: 200 });
  onsets.follow(1, ["agent_critical"], 300);
  onsets.follow(1, ["cpu_high", "agent_critical"], 400);
  expect(onsets.of(1)).toEqual({ cpu_high: 400, agent_critical: 200 });
  onsets.follow(1, [], 500);
  expect([onsets.of(1), onsets.of(2)]).toEqual([{}, {}]);
});
