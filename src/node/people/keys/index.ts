/** API keys: signed texts that act as their owner, within their scopes. */

import { defineFeature, type Part } from "../../../kernel/feature.ts";
import { fail } from "./contract.ts";
import { keyMeanings } from "./events.ts";
import { checkKey, keysWay } from "./logic.ts";
import init from "./migrations/0001_keys.sql" with { type: "text" };
import parents from "./migrations/0002_parents.sql" with { type: "text" };
import type { Needs } from "./needs.ts";
import { bindKeyRoutes } from "./routes.ts";
import type { KeyRow } from "./store.ts";

export { fail as keyFail } from "./contract.ts";
export { coversScope, keysWay } from "./logic.ts";

export const keysFeature = defineFeature({
  name: "keys",
  events: keyMeanings,
  migrations: [init, parents],
  errors: fail.table,
});

/** The API keys of this node. */
export interface Keys extends Part {
  /** The row behind the text of a key: signature right, known, not expired; else null. Notes its use once a minute. */
  check(text: string): KeyRow | null;
}

export function createKeys(needs: Needs): Keys {
  needs.lists.lastingWays.add(keysWay(needs));
  return {
    feature: keysFeature,
    check: (text) => checkKey(needs, text),
    routes: [bindKeyRoutes(needs)],
  };
}
