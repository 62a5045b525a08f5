import { type AnyElysia, Elysia } from "elysia";
import { type ContextFeature, partOf } from "../../src/kernel/feature.ts";
import { type Authorize, accessPlugin, type Rule } from "../../src/kernel/http/access.ts";
import { type Assembled, assembleApp } from "../../src/kernel/http/assemble.ts";
import type { ErrorTable } from "../../src/kernel/http/errors.ts";
import { createIds } from "../../src/lib/ids.ts";
import { createFakeClock, type FakeClock } from "./fake-clock.ts";
import { createTestLog, type LogLine } from "./test-log.ts";

/** What routes of a test get: the guard to start with, and the clock. */
export interface HttpContext {
  guard: ReturnType<typeof accessPlugin<string>>;
  clock: FakeClock;
  signal: AbortSignal;
}

export interface HttpApp extends Assembled {
  ctx: HttpContext;
  lines: LogLine[];
  /** Aborts `ctx.signal`, as a stopping program does. */
  stop(): void;
  fetch(method: string, path: string, init?: RequestInit): Promise<Response>;
}

interface Options {
  uiRoot?: string;
  allowedOrigins?: string[];
  trustedProxies?: string[];
  errors?: ErrorTable;
  authorize?: Authorize<string>;
  extra?: ContextFeature<HttpContext>[];
}

/** Lets everybody in as `tester`. */
export const letIn: Authorize<string> = async (_caller, _rule: Rule) => "tester";

/** The kernel's whole HTTP side around the routes of a test; nothing listens until `app.listen`. */
export function createHttpApp(routes: (ctx: HttpContext) => AnyElysia, options: Options = {}): HttpApp {
  const clock = createFakeClock();
  const { log, lines } = createTestLog();
  const stopping = new AbortController();
  const ctx: HttpContext = {
    guard: accessPlugin(options.authorize ?? letIn, options.trustedProxies ?? []),
    clock,
    signal: stopping.signal,
  };
  const feature: ContextFeature<HttpContext> = {
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
    },
    [feature, ...(options.extra ?? [])].map((one) => partOf(one, ctx)),
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
