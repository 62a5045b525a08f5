import { networksAround } from "../../../../kernel/http/peer.ts";
import { assertNoWait, tooManyRequests } from "../../../../kernel/http/too-many-requests.ts";
import { startThread, type Thread } from "../../../../kernel/thread.ts";
import { type Clock, systemClock } from "../../../../lib/clock.ts";
import { seconds } from "../../../../lib/duration.ts";
import { type Asker, createFairQueue } from "../../../../lib/fair-queue.ts";
import type { Bringer } from "../belief.ts";
import type { JudgeAnswer, JudgeQuestion } from "./judge-messages.ts";
import { createJudgedTime, type JudgedTime } from "./judged-time.ts";
import type { Received, Trust } from "./receive.ts";
import { ResponseRefused } from "./structure.ts";

/** Answers that wait, of a stranger's network and of one that somebody came in from before, where an office may begin its day; and of all. */
const WAITING = { ofNetwork: 5, ofKnown: 20, all: 100 };
const RETRY_S = 5;
/** Nobody looks longer at a page that does nothing. */
const WAIT_MS = seconds(20);
/** Many times what the worst answer takes that the reader lets through. */
const PATIENCE_MS = seconds(10);
/** An unused thread holds some megabytes, and is started again in a few milliseconds. */
const UNUSED_MS = seconds(10);

/** Judges answers one after the other, in a thread of its own, so that nobody else waits for them. */
export interface Judge {
  /**
   * Takes an answer apart, as `receive` does, when it is its turn. Throws `too_many_requests` where too many wait, or the connector or
   * who brings it has used up their time. One that takes too long is refused, and its thread is ended.
   */
  receive(bringer: Bringer, encoded: string, trust: Trust): Promise<Received>;
}

/**
 * Known networks share what there is by connector, so that nobody with a provider of their own has the say over those of others. Strangers
 * do by the networks around them, or who knows many connectors would count for as many.
 */
function askerFor({ connector_id, ip, isKnown, left }: Bringer): Asker {
  const [provider, site, network] = networksAround(ip);
  const limit = { key: `${connector_id} ${network}`, most: WAITING.ofKnown };
  if (isKnown) return { path: ["known", connector_id, provider, site, network], limit, left };
  return { path: ["strangers", provider, site, network], limit: { key: network, most: WAITING.ofNetwork }, left };
}

/** What a judge has of its own; left out, what is usual. */
export interface JudgeParts {
  patienceMs?: number;
  time?: JudgedTime;
}

/** Makes one; its thread starts with the first answer and ends when none came for a while. */
export function createJudge(
  clock: Pick<Clock, "monotonic" | "after">,
  { patienceMs = PATIENCE_MS, time = createJudgedTime(clock) }: JudgeParts = {},
): Judge {
  const inTurn = createFairQueue(clock, {
    ...{ size: 1, most: WAITING.all, patienceMs: WAIT_MS },
    refuse: () => tooManyRequests(RETRY_S),
  });
  let thread: Thread<JudgeQuestion, JudgeAnswer> | null = null;
  let keep = () => {};

  function end(): void {
    thread?.end();
    thread = null;
  }

  async function ask(bringer: Bringer, question: JudgeQuestion): Promise<Received> {
    assertNoWait(time.wait(bringer));
    keep();
    if (thread === null || thread.isOver()) thread = startThread("panel/people/sso/saml/judge-thread");
    let isLate = false;
    const cancel = systemClock.after(patienceMs, () => {
      isLate = true;
      end();
    });
    try {
      const { refused, took_ms, ...received } = await thread.ask(question);
      // Those of strangers who have no key are cheap, and few of them are looked at: they must not spend what the connector has.
      if (received.isWrittenOut) time.count(bringer, { ms: took_ms, isBelieved: refused === null });
      return {
        ...received,
        refused: refused && new ResponseRefused(refused.refusal, refused.message, refused.advice),
      };
    } catch (error) {
      time.count(bringer, { ms: patienceMs, isBelieved: false });
      if (!isLate) throw error;
      return { facts: null, refused: tooLong(), hasSaidNo: false, isWrittenOut: true };
    } finally {
      cancel();
      keep = systemClock.after(UNUSED_MS, end);
    }
  }

  return {
    async receive(bringer, encoded, trust) {
      assertNoWait(time.wait(bringer));
      return inTurn(askerFor(bringer), () => ask(bringer, { encoded, trust }));
    },
  };
}

const tooLong = () =>
  new ResponseRefused(
    "answer",
    "The provider's answer takes too long to check",
    "No provider sends that by itself. Test again, and look into the log of the provider.",
  );
