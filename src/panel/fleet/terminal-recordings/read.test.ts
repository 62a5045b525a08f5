import { afterEach, beforeEach, expect, test } from "bun:test";
import { mkdtempSync, rmSync, truncateSync } from "node:fs";
import { mkdir } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "bun";
import { createTestPanel, type Person, type TestPanel } from "../../../../tests/kit/panel-app.ts";
import { createTestNodes } from "../../../../tests/kit/panel-nodes.ts";
import { onEachEngine, panelDatabases } from "../../../../tests/kit/sql-databases.ts";
import { AppError } from "../../../kernel/http/errors.ts";
import type { Whose } from "../../../lib/fair-turns.ts";
import { createReader } from "./read.ts";
import { fileOf, folderOf, keyPurpose } from "./recorder.ts";
import { createChunks } from "./sealed-chunks.ts";
import * as store from "./store.ts";

const KEY = Buffer.alloc(32, 9);
const CHUNKS = 40;
const PER_ACCOUNT = 4;

onEachEngine("reading recordings", (engine) => {
  const databases = panelDatabases(engine);
  let folder: string;
  let panel: TestPanel;
  let config: TestPanel["ctx"]["config"];
  /** Whose turns were asked for, between the parts; `atTurn` is told of each. */
  let turns: Whose[];
  let atTurn: () => unknown;
  let read: ReturnType<typeof createReader>;
  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), "orrery-rec-"));
    panel = await createTestPanel(await databases.open());
    config = { ...panel.ctx.config, data_dir: folder };
    turns = [];
    atTurn = () => null;
    const takeTurn = async (whose: Whose) => {
      turns.push(whose);
      await atTurn();
      return true;
    };
    read = createReader({ ...panel.ctx, config, takeTurn });
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  const actorOf = (person: Person) => {
    const rights = { role: "org_owner", is_staff: false, is_wsl: false, session_id: "" } as const;
    return { ...person, ...rights, db: panel.tenant(person.tenant_id) };
  };
  const textOf = (no: number): string => `part ${no}\n`;
  const whole = Array.from({ length: CHUNKS }, (_, no) => textOf(no)).join("");

  /** Somebody who has a node of that name with a recording of many chunks. */
  async function record(name: string) {
    const person = await panel.join(name);
    await createTestNodes(panel).enrol(person.tenant_id, name);
    const id = `rec_${name}`;
    await mkdir(folderOf({ config }, person.tenant_id), { recursive: true });
    const path = fileOf({ config }, person.tenant_id, id);
    const chunks = await createChunks(path, id, KEY);
    for (let no = 0; no < CHUNKS; no++) await chunks.append(gzipSync(Buffer.from(textOf(no))));
    await chunks.close();
    const sealed_key = panel.ctx.seal.seal(keyPurpose(id), KEY.toString("base64"));
    const row = { id, node_id: name, app: "", member_id: person.member_id, who: name, started_at: 1, sealed_key };
    const { state } = chunks;
    await panel.tenant(person.tenant_id).tx(async (tx) => {
      await store.insertRecording(tx, { ...row, ...state, duration_ms: 1, state: "open" });
      await store.updateRecording(tx, id, { ...state, duration_ms: 1, state: "whole" });
    });
    const ask = ({ signal = new AbortController().signal, method = "GET" } = {}) =>
      read({ actor: actorOf(person), ip: "192.0.2.1", request: { signal, method } }, name, id);
    return { ...person, path, ask };
  }
  const codeOf = (answer: Promise<unknown>): Promise<string> =>
    answer.then(
      () => "answered",
      (error) => (error instanceof AppError ? error.code : String(error)),
    );

  test("others go between all parts, of the check and of the answer", async () => {
    const ada = await record("ada");
    const answer = await ada.ask();
    // The first part of the answer may be under way.
    expect([CHUNKS, CHUNKS + 1]).toContain(turns.length);
    expect(await answer.text()).toBe(whole);
    // Before each part, and before it is known that there are no more.
    expect(turns).toEqual(Array.from({ length: 2 * CHUNKS + 1 }, () => [ada.tenant_id, ada.account_id]));
  });

  test("an account reads some at a time, and whatever ends one gives its place back", async () => {
    const ada = await record("ada");
    const gone = new AbortController();
    const first = await ada.ask({ signal: gone.signal });
    const more = await Promise.all(Array.from({ length: PER_ACCOUNT - 1 }, () => ada.ask()));
    const full = () => codeOf(ada.ask());
    expect([await full(), await full()]).toEqual(["too_many_requests", "too_many_requests"]);
    // One whose reader leaves, one that is read, one that is not: each makes room for one.
    gone.abort();
    await expect(first.text()).rejects.toThrow();
    const again = await ada.ask();
    expect(await full()).toBe("too_many_requests");
    expect(await more[0]?.text()).toBe(whole);
    const third = await ada.ask();
    await more[1]?.body?.cancel();
    const fourth = await ada.ask();
    expect(await full()).toBe("too_many_requests");
    for (const answer of [more[2], again, third, fourth]) expect(await answer?.text()).toBe(whole);
    // Nor does what is answered without a body keep one, nor what is refused.
    const outcomes: (string | number)[] = [];
    for (let no = 0; no <= PER_ACCOUNT; no++) outcomes.push((await ada.ask({ method: "HEAD" })).status);
    truncateSync(ada.path, 10);
    for (let no = 0; no <= PER_ACCOUNT; no++) outcomes.push(await codeOf(ada.ask()));
    const refused = Array.from({ length: PER_ACCOUNT + 1 }, () => "recording_damaged");
    expect(outcomes).toEqual([...refused.map(() => 200), ...refused]);
  });

  test("nothing more is read once its reader left, nor is it on record that they saw it", async () => {
    const ada = await record("ada");
    const gone = new AbortController();
    atTurn = () => turns.length === 3 && gone.abort();
    expect(await codeOf(ada.ask({ signal: gone.signal }))).toBe("too_many_requests");
    expect(turns).toHaveLength(3);
    const looked = "SELECT count(*) AS n FROM audit_entries WHERE action = 'fleet.terminal.recording_read'";
    expect(Number((await panel.system.get<{ n: number }>(looked))?.n)).toBe(0);
  });

  test("where all places are taken, whoever has most makes room for whoever has none", async () => {
    const greedy = await Promise.all(["a", "b", "c", "d", "e"].map((name) => record(name)));
    const answers: Response[] = [];
    for (const { ask } of greedy) for (let no = 0; no < PER_ACCOUNT; no++) answers.push(await ask());
    const ada = await record("ada");
    expect(await (await ada.ask()).text()).toBe(whole);
    const outcomes = await Promise.allSettled(answers.map((answer) => answer.text()));
    expect(outcomes.filter(({ status }) => status === "rejected")).toHaveLength(1);
  });

  test("what is changed between the check and the answer breaks the answer off", async () => {
    const ada = await record("ada");
    const answer = await ada.ask();
    truncateSync(ada.path, 10);
    await expect(answer.text()).rejects.toThrow("not what was written");
  });
});
