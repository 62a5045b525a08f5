import { expect, test } from "bun:test";
import { showCommand, showLabels, showVariables } from "./shown-texts.ts";

const long = "--secret ".repeat(1_000_000);

test("labels of megabytes are not shown, and those behind them are", () => {
  const shown = showLabels({ first: "1", long, [long]: "x", "a.password": "hunter2", last: "2" }, []);
  expect(shown).toEqual({ first: "1", long: "…", "a.password": "••••", last: "2" });
});

test("a thousand labels are cut off where their texts are too many", () => {
  const many = Object.fromEntries(Array.from({ length: 100_000 }, (_, at) => [`label ${at}`, "x"]));
  expect(JSON.stringify(showLabels(many, [])).length).toBeLessThan(40_000);
});

test("a command and variables of megabytes are not shown either", () => {
  expect(showCommand(["sh", "-c", long, "--password", "hunter2"], [])).toEqual(["sh", "-c", "…", "--password", "••••"]);
  expect(
    showCommand(
      Array.from({ length: 1_000_000 }, () => ""),
      [],
    ).length,
  ).toBeLessThan(100_000);
  expect(showVariables(["A=1", `B=${long}`, "C=2"], [])).toEqual([
    { name: "A", value: "1" },
    { name: "C", value: "2" },
  ]);
});
