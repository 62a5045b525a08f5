import { expect, test } from "bun:test";
import { createFakeClock } from "../../../../tests/kit/fake-clock.ts";
import { kernelFail } from "../../../kernel/http/errors.ts";
import { createLog } from "../../../kernel/log.ts";
import { type InstallStarter, setUpNode } from "./logic.ts";

const install: InstallStarter = async (template) => ({ id: `app_${template}`, status: "installing" });

/** The outer edges: a host that lets itself be renamed or not, and where settings and log lines go. */
function edges(canRename: boolean) {
  const stored: Record<string, string> = {};
  const lines: string[] = [];
  return {
    stored,
    lines,
    log: createLog(createFakeClock(), "error", (line) => void lines.push(line)),
    settings: { put: (values: Record<string, string>) => void Object.assign(stored, values) },
    host: { setHostname: async () => canRename },
  };
}

test("a host that took the name is the only place that keeps it", async () => {
  const renamed = edges(true);
  await setUpNode(renamed, install, { name: "Vega", mode: "server" });
  expect(renamed.stored).toEqual({ "node.name": "", "node.mode": "server" });
  const kept = edges(false);
  expect((await setUpNode(kept, install, { name: "Vega", mode: "server" })).hostname).toBe("vega");
  expect(kept.stored).toEqual({ "node.name": "vega", "node.mode": "server" });
});

test("each starter app has its own result, in the order asked for and once", async () => {
  const starters: InstallStarter = async (template) => {
    if (template === "nope") throw kernelFail("not_found");
    if (template === "broken") throw new Error("SECRET /var/lib/path");
    return install(template);
  };
  const deps = edges(false);
  const { apps } = await setUpNode(deps, starters, {
    name: "vega",
    mode: "server",
    starter_apps: ["whoami", "nope", "broken", "whoami", "gitea"],
  });
  expect(apps).toEqual([
    { template: "whoami", app_id: "app_whoami", status: "installing" },
    { template: "nope", error: "There is nothing at this address." },
    { template: "broken", error: "Something failed inside. The log has the cause." },
    { template: "gitea", app_id: "app_gitea", status: "installing" },
  ]);
  expect(deps.lines.join()).toContain("/var/lib/path");
});

test("a bad name stops everything before anything is done", async () => {
  const deps = edges(true);
  const input = { name: "a.b", mode: "server" as const, starter_apps: ["whoami"] };
  let installs = 0;
  const counting: InstallStarter = async (template) => {
    installs++;
    return install(template);
  };
  await expect(setUpNode(deps, counting, input)).rejects.toThrow("hyphens");
  expect([installs, deps.stored]).toEqual([0, {}]);
});
