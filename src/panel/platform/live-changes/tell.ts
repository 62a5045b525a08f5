import type { ServerEvent } from "../../../kernel/http/sse.ts";
import { createChannel } from "../../../lib/channel.ts";
import type { Clock } from "../../../lib/clock.ts";
import { seconds } from "../../../lib/duration.ts";
import { type Actor, may } from "../../actor.ts";
import type { ChangeSource } from "../../base.ts";
import type { LiveChange } from "./contract.ts";

/** The least time between two events. */
const PAUSE_MS = seconds(1);

/**
 * Says what changed of that which the caller may see: all of it at once to begin with, because nobody knows what changed
 * before, then at most once a second. It says no more than that: what it is now is asked for where everybody's
 * permissions are looked at.
 */
export async function* tellChanges(
  sources: readonly ChangeSource[],
  actor: Pick<Actor, "role" | "is_staff" | "tenant_id" | "member_id">,
  clock: Clock,
  signal: AbortSignal,
): AsyncGenerator<ServerEvent> {
  const seen = sources.filter(({ permission }) => permission === null || may(actor, permission));
  const changed = new Set(seen.map(({ topic }) => topic));
  const wake = createChannel<void>(1, signal);
  const stops = seen.map(({ topic, onChange }) =>
    onChange(actor, () => {
      changed.add(topic);
      wake.push();
    }),
  );
  try {
    wake.push();
    for await (const _ of wake) {
      const topics = [...changed];
      changed.clear();
      yield { event: "changed", data: { topics } satisfies LiveChange };
      await clock.sleep(PAUSE_MS, signal);
    }
  } finally {
    for (const stop of stops) stop();
  }
}
