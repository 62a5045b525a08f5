import { createLimiter } from "../../../../kernel/http/limit.ts";
import { takeOne, tooManyRequests } from "../../../../kernel/http/too-many-requests.ts";
import { startThread } from "../../../../kernel/thread.ts";
import type { Clock } from "../../../../lib/clock.ts";
import { minutes, seconds } from "../../../../lib/duration.ts";
import { createFairQueue } from "../../../../lib/fair-queue.ts";
import type { OwnKey } from "./own-key.ts";

/** Keys of a workspace: so many wait, and so many are made in ten minutes. Each connector has one for as long as it is there. */
const MOST = { waiting: 2, made: 10 };
/** So many wait of all workspaces. */
const WAITING = 50;
const WAIT_MS = seconds(20);
const RETRY_S = 5;

/** For whom a key is made; `left` aborts when they listen no more. */
export interface KeyAsker {
  tenant_id: string;
  left: AbortSignal;
}

/** Makes keys, one at a time for the whole panel and the workspaces in turn. */
export interface KeyMaker {
  /** Throws `too_many_requests` where the workspace has too many, or it takes too long until it is its turn. */
  make(asker: KeyAsker): Promise<OwnKey>;
}

/** A thread for each: what makes a key in the runtime's own threads keeps sign-ins waiting, which are signed there. */
async function makeInThread(now: number): Promise<OwnKey> {
  const { ask, end } = startThread<number, OwnKey>("panel/people/sso/saml/key-thread");
  try {
    return await ask(now);
  } finally {
    end();
  }
}

/** Makes one; nothing runs until it is asked. */
export function createKeyMaker(clock: Clock, makeKey: (now: number) => Promise<OwnKey> = makeInThread): KeyMaker {
  const made = createLimiter(clock, MOST.made, minutes(10));
  const inTurn = createFairQueue(clock, {
    ...{ size: 1, most: WAITING, patienceMs: WAIT_MS },
    refuse: () => tooManyRequests(RETRY_S),
  });
  return {
    make: ({ tenant_id, left }) =>
      inTurn({ path: [tenant_id], limit: { key: tenant_id, most: MOST.waiting }, left }, async () => {
        takeOne(made, tenant_id);
        return makeKey(clock.now());
      }),
  };
}
