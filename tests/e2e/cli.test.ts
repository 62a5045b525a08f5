import { afterAll, beforeAll, expect, test } from "bun:test";
import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { type NodeProcess, startNode } from "../kit/binary.ts";
import { type Cli, createCli } from "../kit/cli.ts";
import { type Client, createClient, OWNER, setUp } from "../kit/client.ts";
import { suite } from "../kit/env.ts";

suite("the orrery command", ["curl", "images"], () => {
  let node: NodeProcess;
  let owner: Client;
  let cli: Cli;
  beforeAll(async () => {
    node = await startNode();
    owner = await setUp(node.url);
    cli = createCli(node.url);
  });
  afterAll(async () => {
    cli?.dispose();
    await node?.dispose();
  });
  const login = (target = cli) => target.run(["login", OWNER.username, "--password-stdin"], `${OWNER.password}\n`);

  test("help is enough to learn it, and a wrong word leads there", async () => {
    const help = await cli.run(["help"]);
    for (const word of ["login", "app install", "--json", "Exit codes", "ORRERY_API_KEY"])
      expect(help.out).toContain(word);
    expect(help.code).toBe(0);
    const wrong = await cli.run(["dance"]);
    expect(wrong).toMatchObject({ code: 2, out: "" });
    expect(wrong.error).toContain("orrery help");
  });

  test("says 3 without a session and with a wrong password, 5 without a node", async () => {
    expect((await cli.run(["users"])).code).toBe(3);
    const wrong = await cli.run(["login", OWNER.username, "--password-stdin"], "not the password\n");
    expect(wrong.code).toBe(3);
    expect((await cli.run(["--url", "http://127.0.0.1:1", "users"])).code).toBe(5);
  });

  test("login keeps the session for the user alone", async () => {
    expect(await login()).toMatchObject({ code: 0, out: `Signed in to ${node.url}\n` });
    const folder = join(cli.home, ".config/orrery");
    expect(statSync(folder).mode & 0o777).toBe(0o700);
    for (const name of readdirSync(folder)) expect(statSync(join(folder, name)).mode & 0o777).toBe(0o600);
  });

  test("lists as a table and as JSON, with any text a name can hold", async () => {
    await owner.ok("POST /api/users", { username: "second.user", password: "another long one", role: "viewer" });
    const table = await cli.run(["users"]);
    expect(table.out).toMatch(/^USERNAME +ROLE +DISABLED/);
    expect(table.out).toMatch(/\nsecond\.user +viewer +false/);
    expect(table.code).toBe(0);
    const json = await cli.run(["users", "--json"]);
    expect(JSON.parse(json.out)).toEqual(await owner.ok("GET /api/users"));
  });

  test("renews a session that has run out, without asking", async () => {
    const other = createCli(node.url);
    await login(other);
    const folder = join(other.home, ".config/orrery");
    const session = join(folder, readdirSync(folder).find((name) => name.startsWith("session-")) ?? "");
    const text = await Bun.file(session).text();
    await Bun.write(session, text.replace(/^access=.*$/m, "access=outdated"));
    expect((await other.run(["users"])).code).toBe(0);
    expect(await Bun.file(session).text()).not.toContain("outdated");
    other.dispose();
  });

  test("never sends the session of one node to another", async () => {
    const seen: (string | null)[] = [];
    const stranger = Bun.serve({
      hostname: "127.0.0.1",
      port: 0,
      fetch(request) {
        seen.push(request.headers.get("authorization") ?? request.headers.get("x-api-key"));
        return Response.json([]);
      },
    });
    await cli.run(["--url", stranger.url.origin, "users"]);
    await stranger.stop(true);
    expect(seen).toEqual([null]);
  });

  test("sends an API key as its own header and keeps it out of the process list", async () => {
    const seen: string[] = [];
    const node = Bun.serve({
      hostname: "127.0.0.1",
      port: 0,
      async fetch(request) {
        seen.push(request.headers.get("x-api-key") ?? "none");
        const processes = Bun.spawnSync(["ps", "-eo", "args"]).stdout.toString();
        expect(processes).toContain("curl -K -");
        expect(processes).not.toContain("svc_very_secret");
        return Response.json([{ username: 'quote " backslash \\ tab \t é 😀 \u0007', role: "admin" }]);
      },
    });
    const { code, out } = await createCli(node.url.origin).run(["users"], "", { ORRERY_API_KEY: "svc_very_secret" });
    await node.stop(true);
    expect(seen).toEqual(["svc_very_secret"]);
    expect(out).toContain('quote " backslash \\ tab   é 😀  ');
    expect(code).toBe(0);
  });

  test("works with busybox's shell and awk too", async () => {
    const other = createCli(node.url, ["busybox", "sh"]);
    expect((await login(other)).code).toBe(0);
    expect((await other.run(["users"])).out).toContain("owner");
    other.dispose();
  });

  test("logout ends the session on the node", async () => {
    expect((await cli.run(["logout"])).code).toBe(0);
    expect((await cli.run(["users"])).code).toBe(3);
    expect((await createClient(node.url).call("GET /api/users")).status).toBe(401);
  });
});
