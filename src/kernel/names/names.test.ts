import { afterEach, beforeEach, expect, test } from "bun:test";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { connect, createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type DnsServer, startDnsServer } from "../../../tests/kit/dns-server.ts";
import { createFakeClock, type FakeClock } from "../../../tests/kit/fake-clock.ts";
import { until } from "../../../tests/kit/until.ts";
import type { RunProgram } from "../host/run-program.ts";
import { lookupForConnect } from "./for-connect.ts";
import { createNames, type LookUp } from "./index.ts";

let etc: string;
let clock: FakeClock;
let dns: DnsServer;
/** What late names answer with, once it is known. */
let late: PromiseWithResolvers<string[]>;
let addresses: Record<string, string[]>;
let ran: string[][];
let run: RunProgram;
let lookUp: LookUp;

beforeEach(async () => {
  etc = mkdtempSync(join(tmpdir(), "names-"));
  clock = createFakeClock();
  late = Promise.withResolvers();
  addresses = { "good.example": ["10.0.0.1"] };
  dns = await startDnsServer((name, type) => {
    if (name.endsWith("silent.example")) return null;
    if (name.endsWith("broken.local")) return "fails";
    if (type === "AAAA") return [];
    return name.endsWith("late.example") ? late.promise : (addresses[name] ?? []);
  });
  ran = [];
  run = async (argv) => {
    ran.push([...argv]);
    return {
      code: 0,
      signal: null,
      stdout: "192.168.1.7  STREAM nas.local\n192.168.1.7  DGRAM\n",
      stderr: "",
      cut: [],
    };
  };
  lookUp = createNames({ clock, etc, servers: [dns.server], run: (...asked) => run(...asked) });
});
afterEach(async () => {
  late.resolve([]);
  await dns.close();
  rmSync(etc, { recursive: true });
});

const failed = (asking: Promise<string[]>) => asking.then(String, (error: Error & { code?: string }) => error.code);
const silent = (count: number, of: string, signal?: AbortSignal) =>
  Array.from({ length: count }, (_, no) => failed(lookUp(`${of}${no}.silent.example`, { of, signal })));
const askedOf = (name: string) => dns.asked.filter((question) => question.startsWith(`${name} `)).length;

test("while names of one asker are silent, files are read and names of others are found", async () => {
  let isOver = false;
  const all = Promise.all(silent(30, "eve")).finally(() => {
    isOver = true;
  });
  await until(() => dns.asked.length >= 8);
  expect(await readFile(import.meta.path, "utf8")).toContain("silent");
  for (const of of ["ada", undefined]) expect(await lookUp("good.example", { of })).toEqual(["10.0.0.1"]);
  // Four names of one asker are asked for at a time.
  expect([isOver, new Set(dns.asked.filter((name) => name.startsWith("eve"))).size]).toEqual([false, 8]);
  await until(() => clock.advance(5_000).then(() => isOver), { everyMs: 1 });
  expect(new Set(await all)).toEqual(new Set(["EAI_AGAIN"]));
});

test("what takes five seconds is ended, and the next one begins", async () => {
  const first = silent(5, "eve");
  await until(() => askedOf("eve3.silent.example") > 0);
  expect(askedOf("eve4.silent.example")).toBe(0);
  await clock.advance(5_000);
  expect(await Promise.all(first.slice(0, 4))).toEqual(Array(4).fill("EAI_AGAIN"));
  await until(() => askedOf("eve4.silent.example") > 0);
  await clock.advance(5_000);
  expect(await first[4]).toBe("EAI_AGAIN");
});

test("what nobody waits for any more leaves the queue", async () => {
  const held = silent(4, "eve");
  const stop = new AbortController();
  const given = failed(lookUp("good.example", { of: "eve", signal: stop.signal }));
  stop.abort();
  expect(await given).toBe("EAI_AGAIN");
  await clock.advance(5_000);
  await Promise.all(held);
  expect(askedOf("good.example")).toBe(0);
});

test("an asker has so many that wait, and the next is told to come again", async () => {
  const held = silent(54, "eve");
  await expect(lookUp("good.example", { of: "eve" })).rejects.toThrow("too many names are looked up at the moment");
  expect(await lookUp("good.example", { of: "ada" })).toEqual(["10.0.0.1"]);
  await clock.advance(60_000);
  await Promise.all(held);
});

test("a late answer is an answer, and what many ask for is asked once", async () => {
  const asking = Array.from({ length: 20 }, (_, no) => lookUp("very.late.example", { of: `w${no}` }));
  await until(() => askedOf("very.late.example") >= 2);
  expect(await lookUp("good.example")).toEqual(["10.0.0.1"]);
  late.resolve(["10.0.0.9"]);
  expect(new Set((await Promise.all(asking)).flat())).toEqual(new Set(["10.0.0.9"]));
  // A and AAAA, each perhaps once more.
  expect(askedOf("very.late.example")).toBeLessThanOrEqual(4);
});

test("nobody waits in the queue of somebody else who wants the same name", async () => {
  const held = silent(4, "eve");
  const behind = lookUp("good.example", { of: "eve" });
  expect(await lookUp("good.example", { of: "ada" })).toEqual(["10.0.0.1"]);
  await clock.advance(5_000);
  await Promise.all(held);
  expect(await failed(behind)).toBeDefined();
});

test("an answer is kept for five seconds, a failure is not", async () => {
  expect(await failed(lookUp("new.example"))).toBe("ENOTFOUND");
  addresses["new.example"] = ["10.0.0.2"];
  expect(await lookUp("new.example")).toEqual(["10.0.0.2"]);
  addresses["new.example"] = ["10.0.0.3"];
  await clock.advance(4_999);
  expect(await lookUp("NEW.example")).toEqual(["10.0.0.2"]);
  await clock.advance(1);
  expect(await lookUp("new.example")).toEqual(["10.0.0.3"]);
});

test("/etc/hosts goes before name servers, and its domains complete a name", async () => {
  writeFileSync(join(etc, "hosts"), "10.1.1.1 good.example mail\n");
  writeFileSync(join(etc, "resolv.conf"), "search corp.example\n");
  addresses["wiki.corp.example"] = ["10.2.2.2"];
  expect(await lookUp("good.example")).toEqual(["10.1.1.1"]);
  expect(await lookUp("mail")).toEqual(["10.1.1.1"]);
  expect(await lookUp("localhost")).toEqual(["127.0.0.1"]);
  expect(dns.asked).toEqual([]);
  expect(await lookUp("wiki")).toEqual(["10.2.2.2"]);
});

test("what name servers do not know is asked of the system's library where that has more, in a process", async () => {
  expect(await failed(lookUp("nas.local"))).toBe("ENOTFOUND");
  writeFileSync(join(etc, "nsswitch.conf"), "hosts: files mdns4_minimal [NOTFOUND=return] dns\n");
  expect(await lookUp("nas.local")).toEqual(["192.168.1.7"]);
  expect(await lookUp("nas.local")).toEqual(["192.168.1.7"]);
  expect(await lookUp("broken.local")).toEqual(["192.168.1.7"]);
  expect(ran.map(([, , name]) => name)).toEqual(["nas.local", "broken.local"]);
  // One that is silent is silent there, too.
  const [asking] = silent(1, "eve");
  await until(() => askedOf("eve0.silent.example") > 0);
  await clock.advance(5_000);
  expect([await asking, ran.length]).toEqual(["EAI_AGAIN", 2]);
});

test("one asker has one process at a time, and three are there at most", async () => {
  writeFileSync(join(etc, "nsswitch.conf"), "hosts: files mdns4 dns\n");
  const hold = Promise.withResolvers<void>();
  const answer = run;
  run = async (...asked) => {
    const end = await answer(...asked);
    await hold.promise;
    return end;
  };
  const asking = ["eve", "eve", "eve", "ada", "bob", "cy"].map((of, no) => lookUp(`n${no}.local`, { of }));
  await until(() => ran.length === 3);
  for (const name of [0, 1, 2, 3, 4, 5].map((no) => `n${no}.local`)) await until(() => askedOf(name) === 2);
  expect(await lookUp("good.example", { of: "eve" })).toEqual(["10.0.0.1"]);
  expect(ran.filter(([, , name]) => ["n0.local", "n1.local", "n2.local"].includes(name ?? ""))).toHaveLength(1);
  expect(ran).toHaveLength(3);
  hold.resolve();
  expect(await Promise.all(asking)).toEqual(Array(6).fill(["192.168.1.7"]));
});

test("connections by name look it up here", async () => {
  addresses["panel.example"] = ["127.0.0.8", "127.0.0.1"];
  const server = createServer((socket) => socket.end());
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  const address = server.address();
  const port = address !== null && typeof address === "object" ? address.port : 0;
  const open = (host: string) =>
    new Promise<string>((done) => {
      const socket = connect({ host, port, lookup: lookupForConnect(lookUp) });
      socket.once("connect", () => done("connected"));
      socket.once("error", (error: Error & { code?: string }) => done(error.code ?? ""));
      socket.on("close", () => socket.destroy());
    });
  expect([await open("panel.example"), await open("gone.example")]).toEqual(["connected", "ENOTFOUND"]);
  await new Promise((done) => server.close(done));
});
