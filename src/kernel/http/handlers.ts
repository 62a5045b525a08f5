import type { Static, TOptional, TSchema } from "@sinclair/typebox";
import type { AnyElysia, Context } from "elysia";
import { Elysia, t } from "elysia";
import { whileLetIn } from "./access.ts";
import { queryOf } from "./request-head.ts";
import type { OutByStatus, RouteTable, RouteValue } from "./route.ts";
import type { SocketHandler } from "./socket.ts";

/** The names in `{braces}` of a path. The router takes what follows one, up to the next slash, into its name: `{sha256}.png`. */
type Placeholders<Path extends string> = Path extends `${string}{${infer Name}}${infer Rest}`
  ? (Rest extends `${infer Ending}/${string}` ? `${Name}${Ending}` : `${Name}${Rest}`) | Placeholders<Rest>
  : never;

type ParamsOf<Key extends string, Value> = Value extends { params: infer Params extends TSchema }
  ? Static<Params>
  : { [Name in Placeholders<Key>]: string };

/** A body that may be left out arrives as null. */
type BodyOf<Value> = Value extends { body: infer Body extends TSchema }
  ? Body extends TOptional<TSchema>
    ? Static<Body> | null
    : Static<Body>
  : unknown;

type ReplyOf<Value> = Value extends { ready: true }
  ? string
  : Value extends { out: infer Out }
    ? Out extends TSchema
      ? Static<Out> | Response
      : { [Status in keyof Out]: Out[Status] extends TSchema ? Static<Out[Status]> : never }[keyof Out] | Response
    : unknown;

/** What a handler is given: the caller, and what the request says, checked by the route's schemas. */
export interface Asked<Key extends string, Value, Actor> {
  actor: Actor;
  /** Address of the other end, proxies that we trust taken off. */
  ip: string;
  isHttps: boolean;
  params: ParamsOf<Key, Value>;
  query: Value extends { query: infer Query extends TSchema } ? Static<Query> : Record<string, string | undefined>;
  body: BodyOf<Value>;
  request: Request;
  server: Context["server"];
  set: Context["set"];
}

type Handler<Key extends string, Value, Actor> = (
  asked: Asked<Key, Value, Actor>,
) => ReplyOf<Value> | Promise<ReplyOf<Value>>;

/** One handler for each route of a table; one too many or too few is a type error. */
export type Handlers<Table, Actor> = {
  [Key in keyof Table & string]: Key extends `WS ${string}` ? SocketHandler : Handler<Key, Table[Key], Actor>;
};

/** Routes with what answers them, ready to be mounted behind the program's guard. */
export interface BoundRoutes {
  readonly table: RouteTable;
  readonly handlers: Readonly<Record<string, unknown>>;
}

/** `bindRoutes` of a program, whose handlers learn who asks as its `Actor`, and whose routes have its kinds of rules. */
export const binderFor =
  <Actor, Rule = unknown>() =>
  <const Table extends RouteTable<Rule>>(table: Table, handlers: Handlers<Table, Actor>): BoundRoutes => ({
    table,
    handlers,
  });

/** The routes of one feature as a part of the program's router. Throws on a key that is no method and path. */
export function mountRoutes(guard: AnyElysia, bound: readonly BoundRoutes[]): AnyElysia {
  const app: AnyElysia = new Elysia().use(guard);
  for (const { table, handlers } of bound) {
    for (const [key, value] of Object.entries(table)) {
      const [, method, path] = /^([A-Z]+) (\/\S*)$/.exec(key) ?? [];
      if (method === undefined || path === undefined) throw new Error(`"${key}" is no method and path`);
      const pattern = path.replace(/\{(\w+)\}/g, ":$1");
      if (method === "WS") app.ws(pattern, { ...hooksOf(value), ...(handlers[key] as SocketHandler) } as never);
      else app.route(method, pattern, whileLetIn(method, handlers[key] as never) as never, hooksOf(value) as never);
    }
  }
  return app;
}

/** Where the schema of ready text stands among a route's hooks, for the API document alone. */
export const READY = "ready";

/** Elysia writes into the hooks and their detail, so each route gets its own. */
function hooksOf({ access, params, query, body, out, ready, detail, parse }: RouteValue): Record<string, unknown> {
  const hooks: Record<string, unknown> = { access };
  const parameters = query === "any" ? undefined : (query ?? NO_QUERY);
  const answer = { [ready ? READY : "response"]: out as OutByStatus | TSchema | undefined };
  const given = { params, query: parameters, body, ...answer, parse };
  for (const [name, part] of Object.entries(given)) if (part !== undefined) hooks[name] = part;
  if (detail !== undefined) hooks["detail"] = { ...detail };
  const repeatable = repeatableIn(parameters);
  if (repeatable.length > 0) hooks["beforeHandle"] = readRepeated(repeatable);
  return hooks;
}

/** Parameters of a route that takes none: one that is sent all the same is a mistake that its sender should hear of. */
const NO_QUERY = t.Object({}, { additionalProperties: false });

/** The parameters of a query that may be given more than once. */
const repeatableIn = (query: TSchema | undefined): string[] =>
  Object.entries<TSchema>(query?.["properties"] ?? {}).flatMap(([name, { type }]) => (type === "array" ? [name] : []));

/** Elysia parts such values at their commas and takes brackets off: here each of them is what the address says. */
function readRepeated(names: readonly string[]) {
  return ({ query, request }: { query: Record<string, unknown>; request: Request }): void => {
    const told = queryOf(request.url);
    for (const name of names) if (told.has(name)) query[name] = told.getAll(name);
  };
}
