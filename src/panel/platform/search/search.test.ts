import { beforeEach, expect, test } from "bun:test";
import { sharedPanel, type Visit } from "../../../../tests/kit/shared-panel.ts";
import { onEachEngine } from "../../../../tests/kit/sql-databases.ts";
import type { SearchResult } from "./contract.ts";

onEachEngine("search", (engine) => {
  const visit = sharedPanel(engine);
  let panel: Visit["panel"];
  let nodes: Visit["nodes"];
  let ada: Visit["ada"];
  let count: number;
  beforeEach(async () => {
    ({ panel, nodes, ada, count } = await visit());
  });
  const find = async (query: string, token = ada.token): Promise<SearchResult[]> =>
    (await panel.call(`GET /api/search/global?${query}`, { token })).body.results;
  const titles = async (query: string, token = ada.token) =>
    (await find(query, token)).map(({ source, title }) => `${source} ${title}`);
  const enrol = (hostname: string) => nodes.enrol(ada.tenant_id, `${hostname}-${count}`, { hostname });

  test("a node is found by its name before those that only contain it, and leads to its page", async () => {
    for (const hostname of ["my-web-1", "web-10", "web-1"]) await enrol(hostname);
    expect(await titles("q=WEB-1")).toEqual(["nodes web-1", "nodes web-10", "nodes my-web-1"]);
    const [first] = await find("q=web-1");
    expect(first).toMatchObject({ id: `web-1-${count}`, path: `/nodes/web-1-${count}`, icon: "server" });
    expect(first?.snippet).toContain("pending");
    expect(await titles("q=nothing-like-it")).toEqual([]);
  });

  test("nothing is found by no words, and no more than asked for", async () => {
    for (const hostname of ["one", "only", "once"]) await enrol(hostname);
    for (const empty of ["", "q=", "q=%20%20"]) expect(await find(empty)).toEqual([]);
    expect(await titles("q=on&limit=2")).toEqual(["nodes once", "nodes one"]);
    expect((await panel.call("GET /api/search/global?q=on&limit=0", { token: ada.token })).status).toBe(400);
  });

  test("each kind gets its share of a short answer", async () => {
    for (const number of [1, 2, 3]) await enrol(`ada-${number}`);
    const made = await panel.call("POST /api/workspaces", { token: ada.token, body: { name: `Ada second ${count}` } });
    const home = await panel.call(`POST /api/workspaces/${ada.tenant_id}/switch`, { token: made.body.token });
    const found = await find("q=ada&limit=3", home.body.token);
    expect(new Set(found.map(({ source }) => source))).toEqual(new Set(["workspaces", "members", "nodes"]));
    expect(found).toHaveLength(3);
  });

  test("members, incidents and rollouts are found too, by those who may see them", async () => {
    const word = `quasar${count}`;
    await panel.invite(ada, word, "org_viewer");
    await panel.system.run("UPDATE accounts SET display_name = ? WHERE email = ?", [
      `50%_${word}`,
      `${word}@example.org`,
    ]);
    const incident = (id: string, title: string, resolvedAt: number | null) =>
      panel.system.run(
        `INSERT INTO fleet_incidents (tenant_id, id, rule, region, severity, title, nodes_first, nodes_most, since, opened_at, resolved_at)
         VALUES (?, ?, 'cpu_high', 'eu', 'critical', ?, 1, 1, 0, 0, ?)`,
        [ada.tenant_id, `${id}_${count}`, title, resolvedAt],
      );
    await incident("inc_over", `${word} was busy`, 5);
    await incident("inc_open", `${word} is busy`, null);
    const found = await find(`q=${word}`);
    expect(found.map(({ source, title, snippet, path }) => [source, title, snippet, path])).toEqual([
      ["incidents", `${word} is busy`, "open, critical, eu", `/incidents/inc_open_${count}`],
      ["incidents", `${word} was busy`, "over, eu", `/incidents/inc_over_${count}`],
      ["members", `50%_${word}`, `${word}@example.org, Viewer`, "/team"],
    ]);
    expect((await find(`q=${encodeURIComponent("50%_q")}`)).map(({ source }) => source)).toEqual(["members"]);
    expect(await titles(`q=${encodeURIComponent(`5__${word}`)}`)).toEqual([]);
    const teacher = await panel.invite(ada, `teaching${count}`, "org_teacher");
    expect(await titles(`q=${word}`, teacher.token)).toEqual([`members 50%_${word}`]);
  });

  test("apps are found on whatever nodes they are, and jobs by what they do; the kind whose title is the words comes first", async () => {
    const word = `wiki${count}`;
    const app = (app_id: string, name: string, status: string) => ({
      ...{ app_id, name, status, image: "web:1", cpu_percent: 1, mem_bytes: 1, restart_count: 0 },
    });
    for (const id of [`${word}-host`, `plain-${count}`]) await enrol(id);
    await nodes.heartbeat(`plain-${count}-${count}`, {
      hostname: `plain-${count}`,
      apps: [app("app_1", `my-${word}`, "failed"), app("app_2", word, "running")],
    });
    const restart = { action: "restart", params: { app: word }, instance_ids: [`plain-${count}-${count}`] };
    const { body: job } = await panel.call("POST /api/fleet/bulk", { token: ada.token, body: restart });
    const found = await find(`q=${word}`);
    expect(found.map(({ source, title, snippet, path }) => [source, title, snippet, path])).toEqual([
      ["apps", word, `running, on plain-${count}`, `/nodes/plain-${count}-${count}`],
      ["apps", `my-${word}`, `failed, on plain-${count}`, `/nodes/plain-${count}-${count}`],
      ["nodes", `${word}-host`, expect.any(String), expect.any(String)],
      ["jobs", `restart ${word}`, "running, 1 node", `/jobs/${job.id}`],
    ]);
    const bob = await panel.join(`other${count}`);
    expect(await find(`q=${word}`, bob.token)).toEqual([]);
  });

  test("everybody finds what they may see, of their own workspace alone", async () => {
    await enrol(`secret-${count}`);
    const bob = await panel.join(`bob${count}`);
    expect(await find(`q=secret-${count}`, bob.token)).toEqual([]);
    const teacher = await panel.invite(ada, `teacher${count}`, "org_teacher");
    expect(await find(`q=secret-${count}`, teacher.token)).toEqual([]);
    const viewer = await panel.invite(ada, `viewer${count}`, "org_viewer");
    expect(await titles(`q=secret-${count}`, viewer.token)).toEqual([`nodes secret-${count}`]);
    expect((await panel.call("GET /api/search/global?q=a")).status).toBe(401);
  });
});
