import { tooManyRequests } from "../../../../kernel/http/too-many-requests.ts";
import { startThread, type Thread } from "../../../../kernel/thread.ts";
import { systemClock } from "../../../../lib/clock.ts";
import { seconds } from "../../../../lib/duration.ts";
import { createGate } from "../../../../lib/gate.ts";
import type { JudgeAnswer, JudgeQuestion } from "./judge-messages.ts";
import type { Received, Trust } from "./receive.ts";
import { ResponseRefused } from "./structure.ts";

/** Answers that are judged or wait for it, of one network and of all. */
const WAITING = { each: 5, all: 30 };
const RETRY_S = 5;
/** Many times what the worst answer takes that the reader lets through. */
const PATIENCE_MS = seconds(10);
/** An unused thread holds some megabytes, and is started again in a few milliseconds. */
const UNUSED_MS = seconds(10);

/** Judges answers one after the other, in a thread of its own, so that nobody else waits for them. */
export interface Judge {
  /** Does `work`, which judges an answer, for somebody of a network. Throws `too_many_requests` before it begins where too many wait. */
  inTurn<T>(network: string, work: () => Promise<T>): Promise<T>;
  /** Takes an answer apart, as `receive` does. One that takes too long is refused, and its thread is ended. */
  receive(encoded: string, trust: Trust): Promise<Received>;
}

/** Makes one; its thread starts with the first answer and ends when none came for a while. */
export function createJudge(patienceMs = PATIENCE_MS): Judge {
  const gate = createGate(1);
  const waiting = new Map<string, number>();
  let all = 0;
  let thread: Thread<JudgeQuestion, JudgeAnswer> | null = null;
  let keep = () => {};

  function end(): void {
    thread?.end();
    thread = null;
  }

  async function ask(question: JudgeQuestion): Promise<Received> {
    keep();
    if (thread === null || thread.isOver()) thread = startThread("panel/people/sso/saml/judge-thread");
    let isLate = false;
    const cancel = systemClock.after(patienceMs, () => {
      isLate = true;
      end();
    });
    try {
      const { refused, ...received } = await thread.ask(question);
      return {
        ...received,
        refused: refused && new ResponseRefused(refused.refusal, refused.message, refused.advice),
      };
    } catch (error) {
      if (!isLate) throw error;
      return { facts: null, refused: tooLong(), hasSaidNo: false };
    } finally {
      cancel();
      keep = systemClock.after(UNUSED_MS, end);
    }
  }

  return {
    async inTurn(network, work) {
      const own = waiting.get(network) ?? 0;
      if (own >= WAITING.each || all >= WAITING.all) throw tooManyRequests(RETRY_S);
      waiting.set(network, own + 1);
      all += 1;
      try {
        return await work();
      } finally {
        all -= 1;
        const left = (waiting.get(network) ?? 1) - 1;
        if (left > 0) waiting.set(network, left);
        else waiting.delete(network);
      }
    },
    receive: (encoded, trust) => gate(() => ask({ encoded, trust })),
  };
}

const tooLong = () =>
  new ResponseRefused(
    "answer",
    "The provider's answer takes too long to check",
    "No provider sends that by itself. Test again, and look into the log of the provider.",
  );
