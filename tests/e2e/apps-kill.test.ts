import { afterAll, beforeAll, expect, test } from "bun:test";
import { type AppsNode, leftovers, NOTHING, startAppsNode } from "../kit/apps.ts";
import { forgetImage, labelled } from "../kit/docker.ts";
import { suite, testEnv } from "../kit/env.ts";
import { until } from "../kit/until.ts";

/** Steps of an install of `test-stack` in order, as its plan names them; the first test holds the list to the plan. */
const STEPS = [
  "reserve",
  "pull:web",
  "pull:database",
  "network",
  "volumes",
  "create:web",
  "create:database",
  "start:web",
  "start:database",
  "health",
];

suite("kill -9 of the node in each step of an install", ["docker", "registry", "images"], () => {
  let apps: AppsNode;
  beforeAll(async () => {
    apps = await startAppsNode({}, [{ name: "test-stack", image: "layers", withDatabase: true }]);
  });
  afterAll(() => apps?.dispose());

  test("the steps are the ones below", async () => {
    const { op_id, id } = await apps.install("test-stack", apps.freshName("plan"));
    const [plan] = await apps.follow(op_id);
    expect(plan?.data.steps.map(({ step }: { step: string }) => step).toSorted()).toEqual(STEPS.toSorted());
    const removal = await apps.owner.ok(`DELETE /api/apps/${id}?delete_data=true`);
    await apps.follow(removal.op_id);
  });

  for (const step of STEPS) {
    test(`in ${step}: it is finished or undone`, async () => {
      await forgetImage(testEnv().images.layers);
      const name = apps.freshName("kill");
      const { id, op_id } = await apps.install("test-stack", name);
      const isStep = ({ data }: { data: { step?: string; status?: string } }) =>
        data.step === step && data.status === "running";
      const seen = await apps.owner.stream(`/api/operations/${op_id}/events?from=0`, isStep);
      await apps.crash();
      expect(seen.some(isStep)).toBe(true);

      const app = await until(
        async () => {
          const found = await apps.owner.ok(`GET /api/apps/${id}`);
          return found.status !== "installing" && found;
        },
        { timeoutMs: 60_000, what: "the install to be finished or undone" },
      );
      expect(["running", "error"]).toContain(app.status);
      if (app.status === "error") expect(await leftovers(id)).toEqual(NOTHING);
      else {
        expect(await leftovers(id)).toEqual({ containers: 2, volumes: 2, networks: 1 });
        expect(await (await fetch(app.url)).text()).toContain("Greeting: hello");
      }
      const operation = await apps.owner.ok(`GET /api/operations/${app.op_id ?? op_id}`);
      expect(operation.status).toBe(app.status === "running" ? "done" : "failed");
      const removal = await apps.owner.ok(`DELETE /api/apps/${id}?delete_data=true`);
      await apps.follow(removal.op_id);
      expect(await leftovers(id)).toEqual(NOTHING);
      expect((await labelled(`orrery.app=${id}`)).containers).toEqual([]);
    });
  }
});
