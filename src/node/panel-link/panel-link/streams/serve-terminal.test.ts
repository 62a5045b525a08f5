import { expect, test } from "bun:test";
import { createFakeClock } from "../../../../../tests/kit/fake-clock.ts";
import { createTestLog } from "../../../../../tests/kit/test-log.ts";
import { createAccessChanges } from "../../../../kernel/http/access-changes.ts";
import { AppError, kernelFail } from "../../../../kernel/http/errors.ts";
import type { SocketSession } from "../../../../kernel/http/socket.ts";
import { serveHostTerminal, serveTerminal } from "./serve-terminal.ts";

const b64 = (text: string) => ({ bytes: Buffer.from(text).toString("base64") });

/** A node with one app, and what its terminals are given. */
function begin(setting: string) {
  const served: { by: string; container: string; heard: unknown[] }[] = [];
  const { log, lines } = createTestLog();
  const serve = serveTerminal({
    log,
    clock: createFakeClock(0),
    accessChanges: createAccessChanges(),
    settings: { get: () => setting } as never,
    apps: {
      names: () => [{ id: "app_1", name: "blog" }],
      get(id: string) {
        if (id !== "app_1") throw kernelFail("not_found");
        return { id };
      },
      listServices: () => [
        { name: "db", container_id: null, state: "missing" },
        { name: "web", container_id: "c-web", state: "running" },
        { name: "worker", container_id: "c-worker", state: "exited" },
      ],
    } as never,
    terminals: {
      async serve(session: SocketSession, by: string, container: string) {
        const heard: unknown[] = [];
        served.push({ by, container, heard });
        session.sendJson({ type: "ready" });
        for await (const message of session.messages)
          heard.push(message.kind === "bytes" ? Buffer.from(message.bytes).toString() : message.value);
        await session.sendBytes(Buffer.from("x".repeat(40_000)));
      },
    },
  });
  async function ask(params: Record<string, unknown>, given: unknown[] = []) {
    const sent: unknown[] = [];
    const input = (async function* () {
      yield* given;
    })();
    try {
      await serve({ params, signal: new AbortController().signal, input, send: async (item) => void sent.push(item) });
      return { sent, code: null };
    } catch (error) {
      return { sent, code: error instanceof AppError ? error.code : String(error) };
    }
  }
  return { ask, served, lines };
}

test("while this server's owner does not let them in, the panel opens nothing", async () => {
  const { ask, served } = begin("false");
  expect((await ask({ app: "blog" })).code).toBe("shell_disabled");
  expect(served).toEqual([]);
});

test("a terminal opens in the app's first service that runs, or the named one, in the panel's name", async () => {
  const { ask, served } = begin("true");
  const { sent } = await ask({ app: "blog" }, [b64("ls\r"), { word: { type: "resize" } }, "no such thing"]);
  await ask({ app: "app_1", service: "worker" });
  expect(served.map(({ by, container }) => [by, container])).toEqual([
    ["panel", "c-web"],
    ["panel", "c-worker"],
  ]);
  expect(served[0]?.heard).toEqual(["ls\r", { type: "resize" }]);
  expect(sent[0]).toEqual({ word: { type: "ready" } });
  expect(sent.slice(1).map((item) => Buffer.from((item as { bytes: string }).bytes, "base64").length)).toEqual([
    32_768, 7_232,
  ]);
});

test("what is no app, no service, or no question is refused, and is no fault", async () => {
  const { ask, served, lines } = begin("true");
  expect((await ask({ app: "none" })).code).toBe("not_found");
  expect((await ask({ app: "blog", service: "db" })).code).toBe("invalid_request");
  expect((await ask({})).code).toBe("invalid_request");
  expect(served).toEqual([]);
  expect(lines).toEqual([]);
});

test("a terminal of the server itself opens in the panel's name, only where both switches let it", async () => {
  const { log, lines } = createTestLog();
  const opened: string[] = [];
  const serveWith = (setting: string, off: boolean) => {
    const hostTerminals = {
      async serve(session: SocketSession, by: string) {
        if (off) throw new AppError("host_terminal_off", [409, "It is off."], {});
        opened.push(by);
        session.sendJson({ type: "ready" });
      },
    };
    const settings = { get: () => setting } as never;
    const stream = {
      ...{ params: {}, signal: new AbortController().signal, send: async () => {} },
      input: (async function* () {})(),
    };
    const [clock, accessChanges] = [createFakeClock(0), createAccessChanges()];
    return serveHostTerminal({ log, clock, accessChanges, settings, hostTerminals })(stream).then(
      () => null,
      (error: AppError) => error.code,
    );
  };
  expect(await serveWith("false", false)).toBe("shell_disabled");
  expect(await serveWith("true", true)).toBe("host_terminal_off");
  expect(opened).toEqual([]);
  expect(await serveWith("true", false)).toBeNull();
  expect(opened).toEqual(["panel"]);
  expect(lines).toEqual([]);
});

test.each(["at once", "within 15 seconds"])(
  "what is open ends %s when they are let in no more, and says so",
  async (how) => {
    const { log, lines } = createTestLog();
    const [clock, accessChanges] = [createFakeClock(0), createAccessChanges()];
    let setting = "true";
    const sent: unknown[] = [];
    const ends: { isIn: boolean; isOver: boolean }[] = [];
    const hostTerminals = {
      async serve(session: SocketSession, _by: string, isIn: () => boolean) {
        session.sendJson({ type: "ready" });
        await new Promise<void>((resolve) => session.signal.addEventListener("abort", () => resolve(), { once: true }));
        ends.push({ isIn: isIn(), isOver: session.signal.aborted });
        session.sendJson({ type: "ended", reason: "access_ended" });
      },
    };
    const settings = { get: () => setting } as never;
    const over = serveHostTerminal({ log, clock, accessChanges, settings, hostTerminals })({
      ...{ params: {}, signal: new AbortController().signal, send: async (item: unknown) => void sent.push(item) },
      input: (async function* () {})(),
    }).catch((error: AppError) => error.code);
    await clock.advance(15_000);
    accessChanges.changed();
    await new Promise((resolve) => setImmediate(resolve));
    expect(ends).toEqual([]);
    setting = "false";
    if (how === "at once") accessChanges.changed();
    else await clock.advance(15_000);
    expect(await over).toBe("shell_disabled");
    expect(ends).toEqual([{ isIn: false, isOver: true }]);
    // The panel has words of its own for that.
    expect(sent).toEqual([{ word: { type: "ready" } }]);
    expect(lines).toEqual([]);
  },
);
