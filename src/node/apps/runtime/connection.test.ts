import { afterEach, expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createFakeClock, type FakeClock } from "../../../../tests/kit/fake-clock.ts";
import { until } from "../../../../tests/kit/until.ts";
import { createLog } from "../../../kernel/log.ts";
import { type Connection, createConnection } from "./connection.ts";
import type { RuntimeStatus } from "./contract.ts";

/** An engine at the other end of the socket: version, facts and an event stream that the test writes to. */
function startEngine(socket: string, version: { Version: string; ApiVersion: string; MinAPIVersion: string }) {
  let say: (line: unknown) => void = () => {};
  const server = Bun.serve({
    unix: socket,
    fetch(request) {
      const { pathname } = new URL(request.url);
      if (pathname === "/version") return Response.json(version);
      if (pathname.endsWith("/info"))
        return Response.json({
          Driver: "overlay2",
          DockerRootDir: "/d",
          Architecture: "x86_64",
          NCPU: 4,
          CgroupVersion: "2",
        });
      if (!pathname.endsWith("/events")) return Response.json({ message: "no such thing" }, { status: 404 });
      return new Response(
        new ReadableStream({
          start(controller) {
            controller.enqueue(new TextEncoder().encode("\n"));
            say = (line) => controller.enqueue(new TextEncoder().encode(`${JSON.stringify(line)}\n`));
          },
        }),
      );
    },
  });
  return { say: (line: unknown) => say(line), stop: () => server.stop(true) };
}

const CURRENT = { Version: "28.0.1", ApiVersion: "1.48", MinAPIVersion: "1.24" };
const folders: string[] = [];
const stops: AbortController[] = [];

afterEach(() => {
  for (const stop of stops.splice(0)) stop.abort();
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

function open(): { runtime: Connection; socket: string; clock: FakeClock; changes: RuntimeStatus[] } {
  const folder = mkdtempSync(join(tmpdir(), "orrery-runtime-"));
  const stop = new AbortController();
  folders.push(folder);
  stops.push(stop);
  const socket = join(folder, "docker.sock");
  const clock = createFakeClock();
  const changes: RuntimeStatus[] = [];
  const log = createLog(clock, "error", () => {});
  const onChange = (status: RuntimeStatus) => void changes.push(status);
  return {
    runtime: createConnection({ socketPath: socket, clock, log, signal: stop.signal, onChange }),
    socket,
    clock,
    changes,
  };
}

/** Turns the clock until `isSo`: reconnects wait on it. */
const turnUntil = (clock: FakeClock, isSo: () => boolean) =>
  until(async () => {
    await clock.advance(1000);
    return isSo();
  });

test("without a socket the node says what to do, and refuses work with 503", () => {
  const { runtime } = open();
  expect(["missing", "unreachable"]).toContain(runtime.status().state);
  expect(runtime.status().next_step).not.toBeNull();
  expect(() => runtime.requireEngine()).toThrow(expect.objectContaining({ status: 503, code: "runtime_unavailable" }));
});

test("connects when the engine comes, reads all again after it comes back, and hands on its events", async () => {
  const { runtime, socket, clock, changes } = open();
  const seen: string[] = [];
  runtime.watch({
    connected: () => void seen.push("connected"),
    event: ({ action, id }) => void seen.push(`${action} ${id}`),
    disconnected: () => void seen.push("disconnected"),
  });
  runtime.start();
  await clock.advance(3000);
  expect(runtime.engine()).toBeNull();

  const first = startEngine(socket, CURRENT);
  await turnUntil(clock, () => runtime.engine() !== null);
  expect(runtime.status()).toMatchObject({ state: "ok", version: "28.0.1", api_version: "1.47", driver: "overlay2" });
  expect(runtime.facts()).toEqual({ driver: "overlay2", root_dir: "/d", arch: "amd64", cpus: 4, cgroup_version: 2 });
  first.say({ Type: "container", Action: "die", Actor: { ID: "c1", Attributes: {} }, time: 1 });
  await until(() => seen.includes("die c1"));

  await first.stop();
  await until(() => seen.includes("disconnected"));
  await until(() => runtime.status().state === "unreachable");
  rmSync(socket, { force: true });
  const second = startEngine(socket, CURRENT);
  await turnUntil(clock, () => runtime.engine() !== null);
  expect(seen).toEqual(["connected", "die c1", "disconnected", "connected"]);
  expect(changes.map(({ state }) => state).slice(-3)).toEqual(["ok", "unreachable", "ok"]);
  await second.stop();
});

test("an engine that is too old is named with the way out", async () => {
  const { runtime, socket, clock } = open();
  const engine = startEngine(socket, { Version: "18.09.1", ApiVersion: "1.39", MinAPIVersion: "1.12" });
  runtime.start();
  await turnUntil(clock, () => runtime.status().state === "too_old");
  expect(runtime.engine()).toBeNull();
  expect(runtime.status()).toMatchObject({ version: "18.09.1", api_version: "1.39" });
  expect(runtime.status().message).toContain("20.10");
  await engine.stop();
});

test("an error answer of the engine carries its words and status", async () => {
  const { runtime, socket, clock } = open();
  const engine = startEngine(socket, CURRENT);
  runtime.start();
  await turnUntil(clock, () => runtime.engine() !== null);
  expect(await runtime.requireEngine().inspectContainer("none")).toBeNull();
  await expect(runtime.requireEngine().startContainer("none")).rejects.toMatchObject({
    status: 404,
    message: "no such thing",
  });
  await engine.stop();
});
