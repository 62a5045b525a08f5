import { Elysia } from "elysia";
import { routeKey } from "./route-table.ts";

/**
 * Runs `build` and throws when it gives one application the same route twice. Elysia keeps only the later one, without a
 * word and without a trace in its list of routes, so the calls that add them are watched; nothing else builds meanwhile,
 * because `build` is synchronous.
 */
export function refuseTwins<Built>(build: () => Built): Built {
  const prototype: object = Elysia.prototype;
  const add: unknown = Reflect.get(prototype, "add");
  if (typeof add !== "function")
    throw new Error("this Elysia adds its routes in another way; routes would go unwatched");
  const seen = new WeakMap<object, Set<string>>();
  function watched(this: object, method: string, path: string, ...rest: unknown[]): unknown {
    const known = seen.get(this) ?? new Set();
    seen.set(this, known);
    const result: unknown = Reflect.apply(add as () => unknown, this, [method, path, ...rest]);
    const key = routeKey(method, path);
    if (known.has(key)) throw new Error(`route ${key} is declared twice`);
    known.add(key);
    return result;
  }
  Reflect.set(prototype, "add", watched);
  try {
    return build();
  } finally {
    Reflect.set(prototype, "add", add);
  }
}
