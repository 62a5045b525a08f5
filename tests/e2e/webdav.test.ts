import { afterAll, beforeAll, expect, test } from "bun:test";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type NodeProcess, startNode } from "../kit/binary.ts";
import { type Client, setUp, signIn } from "../kit/client.ts";
import { lockInfo } from "../kit/dav-node.ts";
import { mountingTest, suite } from "../kit/env.ts";
import { madeBytes } from "../kit/made-bytes.ts";
import { until } from "../kit/until.ts";

/** Names that have tripped others. */
const NAMES = ['&+-é"', "a b%20c", "#?;:@=$,!'()*", "ü𝄞", "..x", "~^`{}|"];
const MIB = 1024 * 1024;

suite("WebDAV", ["litmus", "cadaver", "rclone", "davfs"], () => {
  let node: NodeProcess;
  let owner: Client;
  let login: { username: string; password: string };
  let work: string;

  beforeAll(async () => {
    work = mkdtempSync(join(tmpdir(), "orrery-webdav-"));
    node = await startNode();
    owner = await setUp(node.url);
    login = await owner.ok("POST /api/drive/webdav-passwords", { name: "clients" });
  });
  afterAll(async () => {
    await node?.dispose();
    rmSync(work, { recursive: true, force: true });
  });

  const address = () => `${node.url}/dav/drive/`;
  const authorization = () => `Basic ${btoa(`${login.username}:${login.password}`)}`;

  const dav = (request: string, init: RequestInit = {}) => {
    const [method = "", path = ""] = request.split(" ");
    const headers = { authorization: authorization(), ...(init.headers as Record<string, string> | undefined) };
    return fetch(`${address()}${path}`, { ...init, method, headers });
  };

  async function run(argv: string[], { input = "", env = {} }: { input?: string; env?: Record<string, string> } = {}) {
    const child = Bun.spawn(argv, {
      cwd: work,
      env: { PATH: Bun.env["PATH"] ?? "", HOME: work, ...env },
      stdin: new Blob([input]),
      stdout: "pipe",
      stderr: "pipe",
    });
    const [out, err, code] = await Promise.all([child.stdout.text(), child.stderr.text(), child.exited]);
    return { out: out + err, code };
  }

  /** Sends the head of a PUT and a part of its body, and no more; what it answers ends the connection. */
  function begin(path: string, announced: number, part: Uint8Array): Promise<() => void> {
    const { hostname, port } = new URL(node.url);
    const head = `PUT /dav/drive/${path} HTTP/1.1\r\nHost: ${hostname}:${port}\r\nAuthorization: ${authorization()}\r\n`;
    return new Promise((resolve, reject) => {
      const socket = connect(Number(port), hostname, () => {
        socket.write(`${head}Content-Length: ${announced}\r\n\r\n`);
        socket.write(part, () => resolve(() => void socket.destroy()));
      });
      socket.on("error", reject);
      socket.resume();
    });
  }

  test("litmus finds nothing: 104 tests, no warning", async () => {
    const { out } = await run(["litmus", "-k", address(), login.username, login.password]);
    const passed = [...out.matchAll(/of (\d+) tests run: (\d+) passed, (\d+) failed/g)].map(([, ...counts]) => counts);
    const sum = (at: number) => passed.reduce((total, counts) => total + Number(counts[at]), 0);
    expect([sum(0), sum(1), sum(2), out.match(/.*(WARNING|FAIL|SKIPPED).*/g) ?? []]).toEqual([104, 104, 0, []]);
  });

  test("cadaver makes folders, sends, fetches, locks, moves and removes", async () => {
    writeFileSync(join(work, ".netrc"), `machine 127.0.0.1 login ${login.username} password ${login.password}\n`, {
      mode: 0o600,
    });
    writeFileSync(join(work, "sent"), madeBytes(1, 50_000));
    const commands = [
      'mkcol "o d&d"',
      'cd "o d&d"',
      'put sent "é+1"',
      'lock "é+1"',
      'put sent "é+1"',
      'unlock "é+1"',
      'copy "é+1" two',
      "move two three",
      "get three fetched",
      "ls",
      'delete "é+1"',
      "propset three colour blue",
      "propget three colour",
      "quit",
    ];
    const { out } = await run(["cadaver", address()], { input: `${commands.join("\n")}\n` });
    expect(out).not.toContain("failed");
    expect(out).toContain("Value of colour is: blue");
    expect(readFileSync(join(work, "fetched"))).toEqual(readFileSync(join(work, "sent")));
    expect((await dav("GET o%20d%26d/three")).status).toBe(200);
    expect((await dav("GET o%20d%26d/%C3%A9%2B1")).status).toBe(404);
  });

  test("rclone carries every name and a large file there and back; the node stays small", async () => {
    const from = join(work, "from");
    mkdirSync(join(from, "inner"), { recursive: true });
    for (const name of NAMES) writeFileSync(join(from, name), `body of ${name}`);
    const large = madeBytes(2, 4 * MIB);
    writeFileSync(join(from, "inner", "large"), Buffer.concat(Array<Uint8Array>(25).fill(large)));
    writeFileSync(join(from, "inner", "empty"), "");
    const hidden = await run(["rclone", "obscure", login.password]);
    const remote = { TYPE: "webdav", URL: address(), VENDOR: "other", USER: login.username, PASS: hidden.out.trim() };
    const env = Object.fromEntries(
      Object.entries(remote).map(([key, value]) => [`RCLONE_CONFIG_ORRERY_${key}`, value]),
    );
    const rclone = async (...argv: string[]) => {
      const { out, code } = await run(["rclone", "--config", "", "--retries", "1", ...argv], { env });
      if (code !== 0) throw new Error(`rclone ${argv.join(" ")}: ${out}`);
      return out;
    };
    await rclone("copy", "from", "orrery:rc");
    const peak = Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${node.pid}/status`, "utf8"))?.[1]) / 1024;
    expect(peak).toBeLessThan(200);
    await rclone("check", "--download", "from", "orrery:rc");
    expect(await rclone("cat", "--offset", "100", "--count", "5", "orrery:rc/inner/large")).toBe(
      Buffer.from(large.subarray(100, 105)).toString(),
    );
    await rclone("moveto", "orrery:rc/inner", "orrery:rc/moved");
    await rclone("purge", "orrery:rc/moved");
    expect((await rclone("lsf", "-R", "orrery:rc")).trim().split("\n").toSorted()).toEqual(NAMES.toSorted());
    const { free } = JSON.parse(await rclone("about", "--json", "orrery:"));
    expect(free).toBeGreaterThan(MIB);
  }, 30_000);

  mountingTest("a Drive that davfs2 has mounted is a folder", async () => {
    const place = join(work, "mounted");
    const settings = join(work, "davfs2.conf");
    const secrets = join(work, "davfs2.secrets");
    mkdirSync(place, { recursive: true });
    writeFileSync(secrets, `"${place}" "${login.username}" "${login.password}"\n`, { mode: 0o600 });
    writeFileSync(settings, `secrets ${secrets}\ndelay_upload 0\nask_auth 0\n`);
    const mounted = await run(["mount", "-t", "davfs", "-o", `conf=${settings}`, address(), place]);
    expect(mounted).toEqual({ out: "", code: 0 });
    const bytes = madeBytes(6, 3 * MIB);
    try {
      mkdirSync(join(place, "davfs"));
      writeFileSync(join(place, "davfs/one"), bytes);
      renameSync(join(place, "davfs/one"), join(place, "davfs/zwei é"));
      expect(readdirSync(join(place, "davfs"))).toEqual(["zwei é"]);
    } finally {
      // What is still to be sent goes before the folder does.
      expect((await run(["umount", place])).code).toBe(0);
    }
    const sent = await dav("GET davfs/zwei%20%C3%A9");
    expect([sent.status, Bun.hash(await sent.arrayBuffer())]).toEqual([200, Bun.hash(bytes)]);
    expect((await dav("GET davfs/one")).status).toBe(404);
    expect((await dav("DELETE davfs")).status).toBe(204);
  });

  test("what breaks off while it comes, and a kill -9, leave all as it was and lose nothing", async () => {
    const put = async (path: string, body: string) => (await dav(`PUT ${path}`, { body })).status;
    expect([await put("kept", "first"), await put("kept", "second")]).toEqual([201, 204]);
    const cut = await begin("kept", 8 * MIB, madeBytes(3, MIB));
    cut();
    await begin("kept", 8 * MIB, madeBytes(4, MIB));
    await begin("new", 8 * MIB, madeBytes(5, MIB));
    const token = (await dav("LOCK kept", { body: lockInfo() })).headers.get("lock-token") ?? "";
    const names = Array.from({ length: 12 }, (_, at) => `acknowledged-${at}`);
    const sending = names.map((name) => put(name, name).catch(() => 0));
    await until(async () => (await Promise.race(sending)) === 201);
    await node.kill();
    const answered = await Promise.all(sending);
    node = await startNode({ dataDir: node.dataDir });
    owner = await signIn(node.url);
    for (const [at, name] of names.entries()) {
      const reply = await dav(`GET ${name}`);
      if (answered[at] === 201 || reply.status !== 404) expect([name, await reply.text()]).toEqual([name, name]);
    }
    expect(await (await dav("GET kept")).text()).toBe("second");
    expect((await dav("GET new")).status).toBe(404);
    expect(await put("kept", "x")).toBe(423);
    expect((await dav("PUT kept", { body: "third", headers: { if: `(${token})` } })).status).toBe(204);
    const { nodes } = await owner.ok("GET /api/drive/tree");
    const { id } = nodes.find(({ name }: { name: string }) => name === "kept");
    const { versions } = await owner.ok(`GET /api/drive/nodes/${id}/versions`);
    expect(versions.map(({ size_bytes }: { size_bytes: number }) => size_bytes).toSorted()).toEqual([5, 6]);
    expect(node.log.filter(({ level }) => level === "error")).toEqual([]);
  });
});
