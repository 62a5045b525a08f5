import { expect, test } from "bun:test";
import fc from "fast-check";
import { makeNotice } from "../../../../../tests/kit/notices.ts";
import { CHANNEL_TYPES, NOTICE_KINDS } from "../contract.ts";
import { defaultTemplate } from "./default-templates.ts";
import { fillLine, fillTemplate, unknownVariables } from "./fill.ts";
import { formatDuration, formatValue, VARIABLES, valuesOf } from "./variables.ts";

const place = { server: "vega", link: "http://vega/alerts", now: Date.UTC(2026, 0, 1, 3, 5) };
const values = valuesOf("fired", makeNotice(), place);

test("variables are replaced, lines without a value left out", () => {
  expect(fillTemplate("{{message}}\nPeak: {{ peak }}\nNow {{value}} of {{threshold}}", values)).toBe(
    "The disk at / is filling up.\nNow 93.4 % of 90 %",
  );
  expect(fillLine("a\n {{entity_name}}\t b", values)).toBe("a / b");
});

test("what stands in a value is never read as a template", () => {
  const sly = valuesOf("fired", makeNotice({ message: "{{event_id}} $& $1 {{nope}}" }), place);
  expect(fillTemplate("{{message}}", sly)).toBe("{{event_id}} $& $1 {{nope}}");
  expect(fillLine("{{message}}", sly)).toBe("{{event_id}} $& $1 {{nope}}");
});

test("names that are no variables are found, also those that every object has", () => {
  expect(unknownVariables("{{message}} {{nope}} {{ constructor }} {{}} {one}")).toEqual(["nope", "constructor", ""]);
});

test("blanks without an end are read once, not once for each of them", () => {
  const endless = `{{${" ".repeat(3_998)}`;
  expect([fillTemplate(endless, values), fillLine(endless, values), unknownVariables(endless)]).toEqual([
    "{{",
    "{{",
    [],
  ]);
}, 5_000);

test("any text fills without error and never names a variable again", () => {
  fc.assert(
    fc.property(fc.array(fc.oneof(fc.string(), fc.constantFrom("{{", "}}", "{{value}}", "\n", "message"))), (parts) => {
      const filled = fillTemplate(parts.join(""), values);
      expect(filled).not.toContain("{{value}}");
    }),
    { numRuns: 300 },
  );
});

test("every text that Orrery brings is whole for every kind of notice", () => {
  for (const kind of NOTICE_KINDS) {
    for (const type of CHANNEL_TYPES) {
      const { subject, body } = defaultTemplate(kind, type);
      expect(unknownVariables(subject + body)).toEqual([]);
      for (const notice of [makeNotice(), makeNotice({ value: null, threshold: null, unit: null, metric: null })]) {
        const filled = valuesOf(kind, notice, place);
        expect(fillLine(subject, filled)).toContain("Disk almost full");
        expect(fillTemplate(body, filled)).toContain("filling up");
        expect(fillTemplate(body, filled)).not.toMatch(/\{\{|: *$/m);
      }
    }
  }
});

test("values and durations read like people write them", () => {
  expect(formatValue(1_250_000_000, "bytes")).toBe("1.3 GB");
  expect(formatValue(0, "bps")).toBe("0 B/s");
  expect(formatValue(71, "celsius")).toBe("71 °C");
  expect(formatValue(2, null)).toBe("2");
  expect(formatValue(null, "percent")).toBe("");
  expect([0, 40, 61, 840, 11_100, 86_400, 90_061, -5].map(formatDuration)).toEqual([
    "0 s",
    "40 s",
    "1 min",
    "14 min",
    "3 h 5 min",
    "1 d",
    "1 d 1 h",
    "0 s",
  ]);
  expect(valuesOf("reminder", makeNotice(), place).duration).toBe("3 h 5 min");
  expect(Object.keys(values).sort()).toEqual(Object.keys(VARIABLES).sort());
});
