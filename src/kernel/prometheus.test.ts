import { expect, test } from "bun:test";
import { writeMeasures } from "./prometheus.ts";

test("writes names once, labels with what breaks a line escaped, and nothing for what is unknown", () => {
  const text = writeMeasures([
    {
      name: "up",
      help: "One line\nof help",
      type: "gauge",
      figures: [{ value: 1 }, { labels: { path: 'C:\\"x"\n', app: "web" }, value: 0.5 }, { value: null }],
    },
    { name: "gone", help: "Nothing known", type: "counter", figures: [{ value: Number.NaN }, { value: null }] },
  ]);
  expect(text).toBe('# HELP up One line\\nof help\n# TYPE up gauge\nup 1\nup{path="C:\\\\\\"x\\"\\n",app="web"} 0.5\n');
});
