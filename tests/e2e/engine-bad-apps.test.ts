import { afterAll, beforeAll, expect, test } from "bun:test";
import { type AppsNode, leftovers, NOTHING, startAppsNode } from "../kit/apps.ts";
import { suite } from "../kit/env.ts";

suite("apps that cannot run", ["docker", "registry", "images"], () => {
  let apps: AppsNode;
  beforeAll(async () => {
    apps = await startAppsNode();
  });
  afterAll(() => apps?.dispose());

  const cases: { template: string; cause: RegExp }[] = [
    { template: "test-crash", cause: /exit code 3/ },
    { template: "test-oom", cause: /memory/ },
    { template: "test-sick", cause: /did not|not (become )?(healthy|ready|work)|answer/i },
  ];
  for (const { template, cause } of cases) {
    test(`${template} ends in error, says why and what to do, and leaves nothing`, async () => {
      const { id, end } = await apps.installed(template, apps.freshName(template));
      expect(end.event).toBe("error");
      const app = await apps.reaches(id, "error");
      expect(app.cause).toMatch(cause);
      expect(app.next_step).toBeString();
      expect(await leftovers(id)).toEqual(NOTHING);
    });
  }

  test("its last words are in the operation's log", async () => {
    const { op_id } = await apps.install("test-crash", apps.freshName("words"));
    const log = (await apps.follow(op_id)).flatMap(({ event, data }) => (event === "log" ? [data.text] : []));
    expect(log.join("\n")).toContain("config file /etc/app.conf is missing");
  });

  test("a retry tries again, and the app can be removed", async () => {
    const { id } = await apps.installed("test-crash", apps.freshName("again"));
    const { op_id } = await apps.owner.ok(`POST /api/apps/${id}/retry`);
    expect((await apps.follow(op_id)).at(-1)?.event).toBe("error");
    const removal = await apps.owner.ok(`DELETE /api/apps/${id}?delete_data=true`);
    expect((await apps.follow(removal.op_id)).at(-1)?.event).toBe("done");
    expect(await leftovers(id)).toEqual(NOTHING);
  });
});
