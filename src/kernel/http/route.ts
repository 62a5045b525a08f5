import type { Static, TOptional, TSchema } from "@sinclair/typebox";

/** Schemas by status, for routes that answer in more ways than one. */
export type OutByStatus = Readonly<Record<number, TSchema>>;

/**
 * All that a caller has to know of a route, written once in a feature's `contract.ts`: the router, the API document, the access
 * matrix and the types of the pages are made of it.
 */
export interface RouteValue<Rule = unknown> {
  /** Who may call it. */
  readonly access: Rule;
  /** Placeholders of the path; left out, each is a text. */
  readonly params?: TSchema;
  /** The parameters that it takes; left out, it takes none, and `any` leaves all of them to the handler. */
  readonly query?: TSchema | "any";
  /** The JSON that it takes; left out, it takes none. */
  readonly body?: TSchema;
  /** The JSON that it answers. */
  readonly out?: TSchema | OutByStatus;
  /**
   * Set where the handler answers `out` as ready JSON text, with its content type: neither checked nor copied. A `Response` of its
   * own would be taken apart and made anew for the headers that every answer carries, at a third of the route's cost.
   */
  readonly ready?: true;
  /** Words for the API document where the answer or the body is no JSON; made by `noContent`, `answersAs`, `redirects`, `takesFile`. */
  readonly detail?: Readonly<Record<string, unknown>>;
  /** Set where the handler reads the body itself; nothing is read before it. */
  readonly parse?: "none";
}

/** The routes of a feature by method and path, as the contract writes them: `GET /api/apps/{id}`; `WS` for web sockets. */
export type RouteTable<Rule = unknown> = Readonly<Record<string, RouteValue<Rule>>>;

/** Keeps the exact type of each route, which `ApiOf` and the handlers are typed by. */
export const defineRoutes = <const Table extends RouteTable>(table: Table): Table => table;

type OutOf<Value> = Value extends { out: infer Out }
  ? Out extends TSchema
    ? Static<Out>
    : { [Status in keyof Out]: Out[Status] extends TSchema ? Static<Out[Status]> : never }[keyof Out]
  : Value extends { detail: unknown }
    ? undefined
    : unknown;

type InOf<Value> = Value extends { body: infer Body extends TSchema }
  ? { in: Body extends TOptional<TSchema> ? Static<Body> | undefined : Static<Body> }
  : Value extends { detail: { requestBody: unknown } }
    ? { in: FormData | Blob }
    : unknown;

/** What pages need to know of a table of routes: the JSON that goes in and the JSON that comes back. */
export type ApiOf<Table> = { [Key in keyof Table & string]: { out: OutOf<Table[Key]> } & InOf<Table[Key]> };
