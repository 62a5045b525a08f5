import { afterAll, expect, test } from "bun:test";
import type { Feature, Part } from "../../src/kernel/feature.ts";
import { nodeFeatures } from "../../src/node/features.ts";
import { panelFeatures } from "../../src/panel/features.ts";
import { createTestNode } from "../kit/node-app.ts";
import { sharedPanel } from "../kit/shared-panel.ts";

const node = createTestNode();
const visitPanel = sharedPanel("sqlite");
afterAll(() => node.close());

/** Compares what runs with what is listed. A half that is not listed has no tables, no settings and no meaning for its events. */
function expectSame(parts: readonly Part[], features: readonly Feature[], withoutPart: readonly string[] = []): void {
  const running = parts.map(({ feature }) => feature.name);
  expect(new Set(running).size).toBe(running.length);
  expect(features.map(({ name }) => name).toSorted()).toEqual([...running, ...withoutPart].toSorted());
}

test("every feature of the node is there with both halves", () => {
  expectSame(node.ctx.parts, nodeFeatures, ["announced"]);
});

test("every feature of the panel is there with both halves", async () => {
  const { panel } = await visitPanel();
  expectSame(panel.ctx.parts, panelFeatures);
});
