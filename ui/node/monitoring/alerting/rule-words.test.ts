import { expect, test } from "bun:test";
import type { AlertRule, RuleTargets } from "../../../../src/node/monitoring/alerting/contract.ts";
import { askedRule, ruleSentence } from "./rule-words.ts";

const targets: RuleTargets = {
  metrics: [
    { name: "cpu_percent", kind: "host", label: "Processor use", unit: "percent" },
    { name: "mem_bytes", kind: "app", label: "Memory in use", unit: "bytes" },
  ],
  states: [],
  entities: [{ entity: "app:app_1", kind: "app", name: "Notes" }],
};
const asked = (text: string) => askedRule(new URLSearchParams(text), targets);

test("an address fills in the dialog for a new rule", () => {
  expect(asked("new=cpu_percent&above=65")).toMatchObject({
    metric: "cpu_percent",
    entity: "host",
    op: ">",
    threshold: 65,
  });
  expect(asked("new=mem_bytes&entity=app:app_1&above=1e9")).toMatchObject({ entity: "app:app_1", threshold: 1e9 });
});

test.each([
  "",
  "new=cpu_percent",
  "new=cpu_percent&above=x",
  "new=magic&above=1",
  "new=mem_bytes&above=1",
  "new=mem_bytes&entity=app:gone&above=1",
])("%s asks for no rule", (text) => expect(asked(text)).toBeNull());

test.each([
  ["app:*", "app_crashed", "Any app crashes"],
  ["app_backup:*", "backup_hollow", "Any app is left out of backups"],
  ["app_backup:app_1", "backup_hollow", "Notes is left out of backups"],
])("a rule about %s and %s in words: %s", (entity, metric, words) => {
  const rule = { type: "state", op: ">=", for: 0, entity, metric } as AlertRule;
  expect(ruleSentence(rule, "", () => "Notes")).toBe(words);
});
