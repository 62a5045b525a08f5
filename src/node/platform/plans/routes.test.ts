import { expect, test } from "bun:test";
import { createTestNode } from "../../../../tests/kit/node-app.ts";

const licensed = [
  { feature: "predictive_alerting", title: "Predictive alerting" },
  { feature: "suite_unlimited_shares", title: "More than three share links" },
  { feature: "cost_optimization", title: "Cost optimization" },
];

test("the plan in force, who decides it, and what each plan has", async () => {
  const node = createTestNode({ plan: "pro" });
  const { status, body } = await node.call("GET /api/plans", { as: "viewer" });
  expect(status).toBe(200);
  expect(body).toEqual({
    current: "pro",
    from: "configuration",
    apps_installed: 0,
    plans: [
      { plan: "community", app_limit: 25, features: [] },
      { plan: "pro", app_limit: 100, features: licensed },
      { plan: "business", app_limit: 500, features: licensed },
      { plan: "enterprise", app_limit: null, features: licensed },
    ],
  });
  expect((await node.call("GET /api/plans")).status).toBe(401);
  node.close();
});
