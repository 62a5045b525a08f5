import { afterAll, beforeAll, expect, test } from "bun:test";
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Secret, TOTP } from "otpauth";
import { type AppsNode, startAppsNode } from "../kit/apps.ts";
import { eachLine, type NodeProcess, startNode } from "../kit/binary.ts";
import { type Cli, createCli } from "../kit/cli.ts";
import { type Client, createClient, OWNER, setUp, signIn } from "../kit/client.ts";
import { ROOT, suite } from "../kit/env.ts";
import { makeRestic, RESTIC_PASSWORD } from "../kit/restic.ts";
import { makeScratch } from "../kit/scratch.ts";

const help = Bun.spawnSync(["sh", join(ROOT, "embed/admin/orrery"), "help"]).stdout.toString();
/** The verbs that the help names, each with the words that it takes, such as `app logs APP`. */
const verbs = (help.split("\n\n")[1] ?? "")
  .split("\n")
  .flatMap((line) => /^ {2}([a-z].*?)(?: {2,}|$)/.exec(line)?.[1]?.split(", ") ?? [])
  .flatMap((form) => {
    const choice = /\S+\|\S+/.exec(form)?.[0] ?? "";
    return choice.split("|").map((one) => form.replace(choice, one));
  });

suite("words of the orrery command that it does not know", ["curl"], () => {
  let cli: Cli;
  // Nobody answers there: whoever asks the node before it looks at the words ends with 5.
  beforeAll(() => (cli = createCli("http://127.0.0.1:1")));
  afterAll(() => cli.dispose());
  const wordsOf = (verb: string) => verb.replaceAll(/[[\]]/g, "").split(" ");

  test("the help names all verbs", () => {
    expect(verbs.length).toBeGreaterThan(30);
    expect(verbs).toEqual(expect.arrayContaining(["logout", "keys", "app stop APP", "backup targets"]));
  });

  test.each(verbs)("%s refuses an option that it does not have", async (verb) => {
    const { code, out, error } = await cli.run([...wordsOf(verb).filter((word) => /^[a-z]/.test(word)), "--nonsense"]);
    expect({ code, out }).toEqual({ code: 2, out: "" });
    expect(error).toMatch(/^orrery: .*--nonsense.*\. Try: orrery help\n$/);
  });

  test.each(verbs.filter((verb) => !verb.includes("…")))("%s refuses a word too many", async (verb) => {
    const { code, out, error } = await cli.run([...wordsOf(verb), "surplus"]);
    expect({ code, out }).toEqual({ code: 2, out: "" });
    expect(error).toMatch(/^orrery: .*surplus.*\. Try: orrery help\n$/);
  });

  test("a verb that is asked for help tells its own lines", async () => {
    for (const words of [
      ["help", "keys"],
      ["keys", "--help"],
      ["app", "install", "x", "-h"],
    ]) {
      const { code, out } = await cli.run(words);
      expect(code).toBe(0);
      expect(out).toContain(words.includes("app") ? "--permit ID" : "users, keys");
      expect(out).not.toContain("webhooks");
    }
    expect(await cli.run(["help", "dance"])).toMatchObject({ code: 2, out: "" });
  });
});

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

  test("signs in with a second factor and lists API keys", async () => {
    await owner.ok("POST /api/users", { username: "careful", password: "a long enough phrase", role: "admin" });
    const careful = await signIn(node.url, { username: "careful", password: "a long enough phrase" });
    const { secret } = await careful.ok("POST /api/auth/totp/enable");
    const code = TOTP.generate({ secret: Secret.fromBase32(secret), timestamp: Date.now() - 30_000 });
    await careful.ok("POST /api/auth/totp/verify", { code });
    const [recovery] = (await careful.ok("POST /api/auth/recovery-codes")).codes;
    const other = createCli(node.url);
    const login = ["login", "careful", "--password-stdin"];
    expect((await other.run(login, "a long enough phrase\nWRONG-CODE\n")).code).toBe(3);
    expect((await other.run(login, `a long enough phrase\n${recovery}\n`)).code).toBe(0);
    const { key } = await careful.ok("POST /api/keys", { name: "nightly", scopes: "apps" });
    expect((await other.run(["keys"])).out).toMatch(/\nkey_\w+ +nightly +apps/);
    // A key for apps does not reach the accounts.
    const refused = await createCli(node.url).run(["users"], "", { ORRERY_API_KEY: key });
    expect(refused).toMatchObject({ code: 8 });
    expect(refused.error).toContain("api key scope does not cover this endpoint");
    expect((await createCli(node.url).run(["apps"], "", { ORRERY_API_KEY: key })).code).toBe(0);
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

  test("addresses that differ in a sign only have sessions of their own; those of earlier versions are still found", async () => {
    const seen: (string | null)[] = [];
    const server = Bun.serve({
      hostname: "127.0.0.1",
      port: 0,
      fetch(request) {
        seen.push(request.headers.get("authorization"));
        return Response.json([]);
      },
    });
    const asked = async (cli: Cli, url: string) => {
      seen.length = 0;
      await cli.run(["--url", url, "users"]);
      return seen.at(0) ?? null;
    };
    const keep = (cli: Cli, name: string, text: string) => Bun.write(join(cli.home, ".config/orrery", name), text);
    const { origin, port } = server.url;
    const former = `session-http___127.0.0.1_${port}`;
    const session = "access=kept\nrefresh=\napi_key=\n";

    const plain = createCli(origin);
    await keep(plain, former, session);
    expect(await asked(plain, `HTTP://127.0.0.1:${port}//`)).toBe("Bearer kept");
    await keep(plain, `${former}_a_b`, session);
    await keep(plain, "default-url", `${origin}/a/b\n`);
    expect([await asked(plain, `${origin}/a/b`), await asked(plain, `${origin}/a-b`)]).toEqual(["Bearer kept", null]);
    const none = await plain.run(["--url", `${origin}/a/b`, "logout"]);
    expect([none.code, await asked(plain, `${origin}/a/b`)]).toEqual([0, null]);
    plain.dispose();
    await server.stop(true);
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
        return Response.json([
          { username: 'quote " backslash \\ tab \t é 😀 \u0007\u009b31m\u007f\u00a0', role: "admin" },
        ]);
      },
    });
    const { code, out } = await createCli(node.url.origin).run(["users"], "", { ORRERY_API_KEY: "svc_very_secret" });
    await node.stop(true);
    expect(seen).toEqual(["svc_very_secret"]);
    expect(out).toContain('quote " backslash \\ tab   é 😀   31m \u00a0');
    expect(code).toBe(0);
  });

  test("status is one JSON object with all that the words say", async () => {
    const { code, out } = await cli.run(["--json", "status"]);
    expect(code).toBe(0);
    expect(JSON.parse(out)).toEqual({
      ...(await owner.ok("GET /api/auth/lock-info")),
      uptime_seconds: expect.any(Number),
      docker: expect.objectContaining({ state: expect.any(String) }),
      apps: [],
      metrics: expect.objectContaining({ disk: expect.any(Object) }),
    });
  });

  test("reads and changes settings; a secret comes from a pipe", async () => {
    expect((await cli.run(["settings"])).out).toMatch(/^KEY +VALUE +IS_SET +DOC\n/);
    expect(await cli.run(["settings", "node.name", "attic"])).toMatchObject({ code: 0, out: "attic\n" });
    expect((await cli.run(["settings", "node.name"])).out).toBe("attic\n");
    expect((await cli.run(["settings", "node.name", 'a "quoted" name'])).code).toBe(2);
    expect(await cli.run(["settings", "node.name", "--stdin"], "piped\n")).toMatchObject({ code: 0, out: "piped\n" });
    expect((await owner.ok("GET /api/settings/node.name")).value).toBe("piped");
    expect(await cli.run(["settings", "node.name", ""])).toMatchObject({ code: 0 });
    expect((await cli.run(["settings", "a", "b", "c"])).code).toBe(2);
    expect(await cli.run(["settings", "nope.key"])).toMatchObject({ code: 4, out: "" });
  });

  test("shows the audit log, by action and by number", async () => {
    const { code, out } = await cli.run(["audit", "--lines=2", "--action=settings."]);
    expect(code).toBe(0);
    expect(out).toMatch(/^TIMESTAMP +ACTION +RESOURCE +IP_ADDRESS\n/);
    expect(out.trim().split("\n")).toHaveLength(3);
    expect(out).toContain("settings.change");
    expect((await cli.run(["audit", "--what"])).code).toBe(2);
  });

  test("shows webhooks and alerts, tests one and acknowledges another", async () => {
    const hook = await owner.ok("POST /api/webhooks", { url: "https://hooks.example.org/x", events: ["*"] });
    expect((await cli.run(["webhooks"])).out).toContain(`${hook.id}  true`);
    expect(await cli.run(["webhook", "test", hook.id])).toMatchObject({ code: 0, out: `webhook ${hook.id}: done\n` });
    expect((await cli.run(["webhook", "test"])).code).toBe(2);
    expect((await cli.run(["webhook", "dance", hook.id])).code).toBe(2);
    expect(await cli.run(["alerts", "--json"])).toMatchObject({ code: 0, out: "[]\n" });
    expect((await cli.run(["alert", "acknowledge", "evt_none"])).code).toBe(4);
  });

  test("backs up, reads back, and lists what there is", async () => {
    const path = makeScratch("backups");
    expect((await cli.run(["backup", "run"])).code).toBe(2);
    await owner.ok("POST /api/backup/targets", { type: "local", name: "disk one", path });
    expect((await cli.run(["backup", "targets"])).out).toMatch(/\nbkt_\S+ +local +disk one +\//);
    expect((await cli.run(["backup", "run", "other"])).code).toBe(4);
    const run = await cli.run(["backup", "run", "disk one"]);
    expect([run.code, run.error]).toEqual([0, ""]);
    const [{ id }] = await owner.ok("GET /api/backups");
    expect(run.out).toContain(`Backup ${id} is completed`);
    expect((await cli.run(["backup", "verify", id])).out).toContain("is whole");
    expect((await cli.run(["backup", "list"])).out).toMatch(new RegExp(`\n${id} +completed`));
    expect((await cli.run(["backup", "restore", id])).code).toBe(2);
    expect(await cli.run(["backup", "restore", id, "--yes"])).toMatchObject({ code: 2 });
    expect((await cli.run(["backup", "verify", "bak_none"])).code).toBe(4);
  });

  test.if(Bun.which("restic") !== null)("looks into a repository of restic and saves what is in it", async () => {
    const files = join(makeScratch("files"), "it's a tree");
    mkdirSync(join(files, "deep"), { recursive: true });
    writeFileSync(join(files, "deep", "note ü.txt"), "what was written\n");
    const restic = makeRestic(2);
    restic.run("backup", files);
    const place = { type: "local", name: "old nas", path: restic.path, repository_password: RESTIC_PASSWORD };
    await owner.ok("POST /api/backup/restic", place);
    expect((await cli.run(["backup", "restic"])).out).toMatch(/\n\S+ +local +old nas +\//);
    expect((await cli.run(["backup", "restic", "snapshots", "other"])).code).toBe(4);
    expect(await cli.run(["backup", "restic", "read", "old nas"])).toMatchObject({ code: 0, error: "" });
    const [, id = ""] =
      /\n([0-9a-f]{8,})/.exec((await cli.run(["backup", "restic", "snapshots", "old nas"])).out) ?? [];
    const listed = await cli.run(["backup", "restic", "files", "old nas", id, join(files, "deep")]);
    expect(listed.out).toMatch(/\nfile +17 +\S+ +.*note ü\.txt\n/);
    const out = join(makeScratch("out"), "saved");
    const get = (path: string, to: string) => cli.run(["backup", "restic", "get", "old nas", id, path, to]);
    expect(await get(join(files, "deep/note ü.txt"), out)).toMatchObject({ code: 0, error: "" });
    expect(readFileSync(out, "utf8")).toBe("what was written\n");
    expect((await get(join(files, "deep/note ü.txt"), "-")).out).toBe("what was written\n");
    expect(await get(join(files, "nowhere"), `${out}2`)).toMatchObject({ code: 4 });
    expect([existsSync(`${out}2`), existsSync(`${out}2.part`)]).toEqual([false, false]);
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

suite("the orrery command with apps", ["curl", "docker", "registry", "images"], () => {
  let apps: AppsNode;
  let cli: Cli;
  let name: string;
  beforeAll(async () => {
    apps = await startAppsNode();
    cli = createCli(apps.node.url);
    name = apps.freshName("cli");
    await cli.run(["login", OWNER.username, "--password-stdin"], OWNER.password);
  });
  afterAll(async () => {
    cli?.dispose();
    await apps?.dispose();
  });

  test("installs with answers and waits until it runs", async () => {
    const { code, out, error } = await cli.run(["app", "install", "test-web", name, "--set", 'GREETING=a "b" \\c']);
    expect(error).toBe("");
    expect(code).toBe(0);
    const { id, url } = (await apps.owner.ok("GET /api/apps"))[0];
    apps.adopt(id);
    expect(out).toContain("health");
    expect(out).toContain(`${name} is running: ${url}`);
    expect(await (await fetch(url)).text()).toContain('Greeting: a "b" \\c');
  });

  test("shows, lists, stops and starts it", async () => {
    expect((await cli.run(["apps"])).out).toMatch(new RegExp(`${name} +running +1.0.0`));
    expect((await cli.run(["app", "show", name])).out).toMatch(/services.0.image +127.0.0.1/);
    const status = await cli.run(["status"]);
    expect(status.error).toBe("");
    expect(status.out).toMatch(/ up (\d+ d )?\d+ h \d+ min\n/);
    expect(status.out).toContain("1 installed, 1 running");
    const stopped = await cli.run(["app", "stop", name]);
    expect([stopped.code, stopped.out]).toEqual([0, expect.stringContaining(`${name} is stopped`)]);
    const restarted = await cli.run(["app", "start", name]);
    expect([restarted.code, restarted.out]).toEqual([0, expect.stringContaining(`${name} is running`)]);
  });

  test("prints its log, and follows it", async () => {
    expect((await cli.run(["app", "logs", name, "--lines", "20"])).out).toContain("web  INFO listening on port 8080");
    const child = Bun.spawn(["timeout", "60", "sh", cli.path, "app", "logs", name, "--lines", "1", "--follow"], {
      env: cli.env,
      stdout: "pipe",
    });
    let ticks = 0;
    await eachLine(child.stdout, (line) => {
      if (line.includes("INFO tick")) ticks += 1;
      if (ticks === 2) child.kill();
    });
    expect(ticks).toBeGreaterThan(1);
  });

  test("a reader that has seen enough ends a followed log without a word", async () => {
    const line = `sh ${cli.path} app logs ${name} --lines 5 --follow | head -n 1`;
    const child = Bun.spawn(["timeout", "60", "sh", "-c", line], { env: cli.env, stdout: "pipe", stderr: "pipe" });
    const [out, error] = await Promise.all([child.stdout.text(), child.stderr.text()]);
    expect({ lines: out.trim().split("\n").length, error, code: await child.exited }).toEqual({
      lines: 1,
      error: "",
      code: 0,
    });
  });

  test("says 4 for a stranger, 7 for a name that is taken, 1 for a failed install with the reason", async () => {
    expect((await cli.run(["app", "stop", "stranger"])).code).toBe(4);
    expect((await cli.run(["app", "install", "test-nothing"])).code).toBe(4);
    expect((await cli.run(["app", "install", "test-web", name])).code).toBe(7);
    const crash = apps.freshName("crash");
    const failed = await cli.run(["app", "install", "test-crash", crash]);
    expect(failed.code).toBe(1);
    expect(failed.error).toContain("exit code 3");
    expect((await cli.run(["app", "remove", crash, "--delete-data", "--yes"])).code).toBe(0);
  });

  test("removes nothing unasked, and all of it when told", async () => {
    expect((await cli.run(["app", "remove", name])).code).toBe(2);
    const { code, out } = await cli.run(["app", "remove", name, "--delete-data", "--yes"]);
    expect(code).toBe(0);
    expect(out).toContain(`${name} is uninstalled`);
    expect(await apps.owner.ok("GET /api/apps")).toEqual([]);
  });
});
