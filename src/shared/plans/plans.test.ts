import { expect, test } from "bun:test";
import { AppError } from "../../kernel/http/errors.ts";
import { assertIncluded, NODE_PLANS } from "./index.ts";

for (const feature of ["predictive_alerting", "cost_optimization", "suite_unlimited_shares"]) {
  test(`${feature} is included from pro upward`, () => {
    const allowed = NODE_PLANS.filter((plan) => {
      try {
        assertIncluded(plan, feature);
        return true;
      } catch {
        return false;
      }
    });
    expect(allowed).toEqual(["pro", "business", "enterprise"]);
  });
}

test("the refusal has the fields of the contract", () => {
  try {
    assertIncluded("community", "cost_optimization");
    throw new Error("it was let through");
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    expect(error.status).toBe(402);
    expect(error.body()).toMatchObject({
      error: "upgrade_required",
      feature: "cost_optimization",
      current_plan: "community",
      required_plan: "pro",
      upgrade_url: "/settings/plan",
    });
    expect(String(error.body()["message"])).toContain("pro plan");
  }
});

test("a feature that no plan knows is a mistake of ours, not a refusal", () => {
  expect(() => assertIncluded("enterprise", "telepathy")).toThrow("no plan knows the feature telepathy");
});
