import { type AnyElysia, Elysia } from "elysia";
import type { Feature } from "../../src/kernel/feature.ts";
import { type Authorize, accessPlugin, type OpenRule, type RuleKinds } from "../../src/kernel/http/access.ts";
import { type AccessChanges, createAccessChanges } from "../../src/kernel/http/access-changes.ts";
import { type AnswerCounts, createAnswerCounts } from "../../src/kernel/http/answer-counts.ts";
import { type Assembled, assembleApp } from "../../src/kernel/http/assemble.ts";
import type { ErrorTable } from "../../src/kernel/http/errors.ts";
import { createIds } from "../../src/lib/ids.ts";
import { createFakeClock, type FakeClock } from "./fake-clock.ts";
import { createTestLog, type LogLine } from "./test-log.ts";

/** Rules of a program that exists in tests only. */
export type TestRule = OpenRule | Readonly<{ kind: "trust"; level: string }>;

/** Callers who are trusted as far as that. */
export const trusted = (level = "little"): TestRule => Object.freeze({ kind: "trust", level });

const rules: RuleKinds<TestRule> = {
  open: { print: () => "open", schemes: {} },
  trust: {
    print: ({ level }) => `trusted ${level}`,
    schemes: {
      bearer: { type: "http", scheme: "bearer" },
      key: { type: "apiKey", in: "header", name: "X-Test-Key" },
    },
  },
};

/** What routes of a test get: the guard to start with, and the clock. */
export interface HttpContext {
  guard: ReturnType<typeof accessPlugin<string, TestRule>>;
  clock: FakeClock;
  accessChanges: AccessChanges;
  signal: AbortSignal;
  answerCounts: AnswerCounts;
}

export interface HttpApp extends Assembled<TestRule> {
  ctx: HttpContext;
  lines: LogLine[];
  /** Aborts `ctx.signal`, as a stopping program does. */
  stop(): void;
  fetch(method: string, path: string, init?: RequestInit): Promise<Response>;
}

/** A feature with routes behind the test's guard. */
export interface TestFeature extends Feature {
  routes(ctx: HttpContext): AnyElysia;
}

interface Options {
  uiRoot?: string;
  allowedOrigins?: string[];
  trustedProxies?: string[];
  errors?: ErrorTable;
  authorize?: Authorize<string, TestRule>;
  extra?: TestFeature[];
}

/** Lets everybody in as `tester`. */
const letIn: Authorize<string, TestRule> = async () => "tester";

/** The kernel's whole HTTP side around the routes of a test; nothing listens until `app.listen`. */
export function createHttpApp(routes: (ctx: HttpContext) => AnyElysia, options: Options = {}): HttpApp {
  const clock = createFakeClock();
  const { log, lines } = createTestLog();
  const stopping = new AbortController();
  const accessChanges = createAccessChanges();
  const ctx: HttpContext = {
    guard: accessPlugin(options.authorize ?? letIn, options.trustedProxies ?? [], clock, accessChanges, (actor) =>
      actor === "" ? null : [actor, ""],
    ),
    clock,
    accessChanges,
    signal: stopping.signal,
    answerCounts: createAnswerCounts(),
  };
  const feature: TestFeature = {
    name: "test",
    routes,
    ...(options.errors ? { errors: options.errors } : {}),
  };
  const assembled = assembleApp(
    {
      title: "Test",
      version: "1.2.3",
      log,
      clock,
      ids: createIds(clock.now),
      uiRoot: options.uiRoot ?? "/nonexistent",
      allowedOrigins: options.allowedOrigins ?? [],
      trustedProxies: [],
      rules,
      answerCounts: ctx.answerCounts,
    },
    [feature, ...(options.extra ?? [])].map((one) => ({ feature: one, plugin: () => one.routes(ctx) })),
    ctx.guard,
  );
  return {
    ...assembled,
    ctx,
    lines,
    stop: () => stopping.abort(),
    fetch: (method, path, init = {}) =>
      assembled.app.handle(new Request(`http://localhost${path}`, { method, ...init })),
  };
}

/** The body of an answer; tests look into it freely, a wrong guess fails the test. */
// biome-ignore lint/suspicious/noExplicitAny: see above
export const jsonOf = (response: Response): Promise<any> => response.json();

/** A feature without routes but its guard. */
export const guarded = (ctx: HttpContext) => new Elysia().use(ctx.guard);
