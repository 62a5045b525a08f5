import { createCached } from "../../../lib/cached.ts";
import type { Clock } from "../../../lib/clock.ts";
import { seconds } from "../../../lib/duration.ts";
import type { Driver } from "../objects/index.ts";
import { wordsOf } from "./failures.ts";
import type { OuterPlace } from "./places.ts";

/** Screens ask often, and many at a time. */
const KEPT_MS = seconds(15);

/** Where programs find a place, and what is wrong with it: `look` answers words for that, or null. */
export function createEndpoint(
  { kind, endpoint, region }: OuterPlace,
  clock: Clock,
  look: () => Promise<string | null>,
): Driver["endpoint"] {
  const { hostname, port, protocol } = new URL(endpoint);
  const secure = protocol === "https:";
  const problem = createCached(clock, KEPT_MS, () => look().catch(wordsOf));
  return async () => {
    const found = await problem.get();
    return {
      url: endpoint,
      internal: endpoint,
      web: endpoint,
      secure,
      host: hostname,
      port: port === "" ? (secure ? 443 : 80) : Number(port),
      region,
      path_style: true,
      signature: "v4",
      kept: kind,
      status: found === null ? "listening" : "failed",
      problem: found,
    };
  };
}
