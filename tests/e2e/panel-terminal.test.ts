import { afterAll, beforeAll, expect, test } from "bun:test";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { NODE_BINARY, type NodeProcess, PANEL_BINARY, startNode } from "../kit/binary.ts";
import { type Client, createClient, OWNER, setUp } from "../kit/client.ts";
import { suite } from "../kit/env.ts";
import { until } from "../kit/until.ts";

const ADA = { email: "ada@example.org", password: "correct horse battery staple" };
/** Within which Ctrl-C has to work, milliseconds; it takes 20 to 30 where nothing else runs. */
const STOPPED_MS = 2_000;
/** What a killed panel may lose of a recording, milliseconds. */
const LOST_MS = 5_000;

/** What a recording showed, from its lines of asciicast. */
const shownBy = (cast: string): string =>
  cast
    .trim()
    .split("\n")
    .slice(1)
    .map((line): [number, string, string] => JSON.parse(line))
    .filter(([, kind]) => kind === "o")
    .map(([, , data]) => data)
    .join("");

suite("a terminal of a server through its panel", ["asciinema"], () => {
  let panel: NodeProcess;
  let node: NodeProcess;
  let ada: Client;
  let id = "";
  let agentPort = 0;

  const startPanel = async (dataDir?: string) => {
    panel = await startNode({
      binary: PANEL_BINARY,
      env: {
        CP_PUBLIC_URL: "https://panel.example",
        CP_AGENT_NAMES: "127.0.0.1",
        CP_AGENT_LISTEN: `127.0.0.1:${agentPort}`,
      },
      ...(dataDir === undefined ? {} : { dataDir }),
    });
    agentPort = Number(panel.log.find(({ msg }) => msg === "listening")?.["agent_port"]);
    const { token } = await createClient(panel.url).ok("POST /api/auth/login", ADA);
    ada = createClient(panel.url, token);
  };

  beforeAll(async () => {
    panel = await startNode({ binary: PANEL_BINARY });
    await createClient(panel.url).ok("POST /api/auth/register", { ...ADA, name: "Ada" });
    await panel.kill();
    await startPanel(panel.dataDir);
    await ada.ok("PUT /api/v1/workspace/settings", { record_terminal_sessions: true });
    node = await startNode();
    const owner = await setUp(node.url);
    const { command } = await ada.ok("POST /api/onboarding/enroll-token");
    const enrol = [...command.split(" ").slice(1), "--data", node.dataDir];
    expect(await Bun.spawn([NODE_BINARY, ...enrol], { stdout: "ignore", env: {} }).exited).toBe(0);
    await owner.ok("PUT /api/host/terminal", { mode: "root", password: OWNER.password });
    await owner.ok("PUT /api/settings", { "panel.terminals": "true" });
    id = (await owner.ok("GET /api/cp/status")).instance_id;
  });
  afterAll(async () => {
    await node?.dispose();
    await panel?.dispose();
  });

  async function open() {
    const ticket = await until(
      async () => {
        const { status, body } = await ada.call(`POST /api/fleet/instances/${id}/terminal/ticket`, {});
        return status === 200 && body;
      },
      { what: "the node to hold a session" },
    );
    const address = panel.url.replace("http", "ws") + ticket.ws_path;
    const socket = new WebSocket(`${address}?ticket=${encodeURIComponent(ticket.ticket)}&cols=80&rows=24`);
    socket.binaryType = "arraybuffer";
    const seen = { bytes: 0, words: [] as Record<string, unknown>[], isClosed: false };
    const pieces: Buffer[] = [];
    socket.onmessage = ({ data }) => {
      if (typeof data === "string") seen.words.push(JSON.parse(data));
      else {
        pieces.push(Buffer.from(data));
        seen.bytes += data.byteLength;
      }
    };
    socket.onclose = () => {
      seen.isClosed = true;
    };
    const tail = (): string => Buffer.concat(pieces.slice(-64)).toString();
    await until(() => seen.words.some(({ type }) => type === "ready"), { what: "the shell", everyMs: 5 });
    return {
      seen,
      all: () => Buffer.concat(pieces),
      type: (text: string) => socket.send(new TextEncoder().encode(text)),
      shows: (text: string | RegExp) => until(() => tail().search(text) >= 0, { everyMs: 2, what: String(text) }),
      isClosed: () => until(() => seen.isClosed, { everyMs: 5, what: "the close" }),
    };
  }
  const recordings = async () => (await ada.ok(`GET /api/fleet/instances/${id}/terminal-recordings`)).items;
  const read = async (recording: string) => {
    const address = `${panel.url}/api/fleet/instances/${id}/terminal-recordings/${recording}`;
    const answer = await fetch(address, { headers: { authorization: `Bearer ${ada.token}` } });
    return { cast: await answer.text(), state: answer.headers.get("x-recording-state") };
  };

  test("Ctrl-C ends a flood at once, and the recording is what was shown, in another player too", async () => {
    const terminal = await open();
    terminal.type("stty -echo; PS1='next> '; printf 'h\\303\\244lf%s\\n' way\r");
    await terminal.shows("hälfway");
    terminal.type("yes a line that goes on and on\r");
    await until(() => terminal.seen.bytes > 2_000_000, { what: "the flood", everyMs: 5 });
    const pressed = performance.now();
    terminal.type("\u0003");
    await terminal.shows("next> ");
    expect(performance.now() - pressed).toBeLessThan(STOPPED_MS);
    terminal.type("exit\r");
    await terminal.isClosed();
    expect(terminal.seen.words.at(-1)).toMatchObject({ type: "exit", reason: "exited" });
    const [{ id: recording }] = await recordings();
    const { cast, state } = await read(recording);
    expect(state).toBe("whole");
    expect(shownBy(cast) === terminal.all().toString()).toBe(true);
    const file = join(panel.dataDir, "recording.cast");
    writeFileSync(file, cast);
    // The player insists on a terminal of its own, and writes elsewhere.
    const player = ["script", "-qec", `asciinema cat ${file} > ${file}.out`, "/dev/null"];
    await Bun.spawn(player, {
      ...{ stdin: "ignore", stdout: "ignore", stderr: "inherit" },
      env: { PATH: process.env["PATH"] ?? "", LANG: "C.UTF-8", HOME: panel.dataDir },
    }).exited;
    expect(readFileSync(`${file}.out`, "utf8") === terminal.all().toString()).toBe(true);
  });

  test("a killed panel has lost five seconds at most, and plays the rest", async () => {
    const terminal = await open();
    terminal.type("while :; do date +at=%s%3N; sleep 0.1; done\r");
    // What was typed is shown as well, before the first line of it.
    await terminal.shows(/at=\d{13}/);
    const begun = Date.now();
    await until(() => Date.now() - begun > LOST_MS + 1_000, { what: "more than may be lost", everyMs: 100 });
    const killed = Date.now();
    await panel.kill();
    await startPanel(panel.dataDir);
    const [found] = await recordings();
    expect(found.state).toBe("truncated");
    const { cast } = await read(found.id);
    const last = Number([...shownBy(cast).matchAll(/at=(\d{13})/g)].at(-1)?.[1]);
    expect(killed - last).toBeLessThan(LOST_MS + 200);
  });
});
