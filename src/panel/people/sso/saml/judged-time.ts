import { networksAround } from "../../../../kernel/http/peer.ts";
import type { Clock } from "../../../../lib/clock.ts";
import { minutes, seconds } from "../../../../lib/duration.ts";
import { createSharedMap } from "../../../../lib/shared-map.ts";
import type { Bringer } from "../belief.ts";

/** Whose time it is. */
export type Spender = Pick<Bringer, "connector_id" | "ip" | "isKnown">;

/** What an answer took of a processor. */
export interface Took {
  ms: number;
  /** It is signed as it has to be. */
  isBelieved: boolean;
}

/**
 * How much of the judge's time each connector has. Its known networks and strangers have an account each, so that neither spends the
 * other's, and of each every network has a part.
 */
export interface JudgedTime {
  /** Seconds until the next answer may be judged; 0 for none. */
  wait(spender: Spender): number;
  /** Counts what an answer took. */
  count(spender: Spender, took: Took): void;
}

/** What there is at once, and what comes in a minute. */
export interface TimeRules {
  atOnceMs: number;
  inMinuteMs: number;
}

/** An honest answer takes some 20 ms of a processor: an office of seven hundred comes in at once, and 150 in each minute after that. */
const RULES: TimeRules = { atOnceMs: seconds(15), inMinuteMs: seconds(3) };
/** What a network, the site around it and its provider may spend of that. */
const PARTS = { network: 0.2, site: 0.3, provider: 0.4 } as const;
/** Who spent no more than so much of it is let in though others have spent all. */
const FIRST = 1 / 15;
/** What is believed is of somebody who signed in at the provider, who may be one of a whole office. */
const BELIEVED = 0.1;
/** An answer of some hundred groups, signed once. What one takes is all that others wait, so twice that counts fourfold. */
const USUAL_MS = 50;
/** No single one counts for more. */
const MOST_OF_ONE_MS = seconds(5);
const MOST_ACCOUNTS = 20_000;

/** What was spent by whom, of which some comes back all the time. */
interface Accounts {
  /** Seconds until less than so much is spent; 0 for none. */
  wait(key: string, mostMs: number): number;
  spend(key: string, ms: number, connectorId: string): void;
}

function createAccounts(clock: Pick<Clock, "monotonic">, { atOnceMs, inMinuteMs }: TimeRules): Accounts {
  const perMs = inMinuteMs / minutes(1);
  const spent = createSharedMap<{ ms: number; at: number }>(clock, {
    size: MOST_ACCOUNTS,
    ttlMs: (atOnceMs + MOST_OF_ONE_MS) / perMs,
  });
  function spentBy(key: string): number {
    const account = spent.get(key);
    return account === null ? 0 : Math.max(0, account.ms - (clock.monotonic() - account.at) * perMs);
  }
  return {
    wait(key, mostMs) {
      const over = spentBy(key) - mostMs;
      return over < 0 ? 0 : Math.max(1, Math.ceil(over / perMs / 1000));
    },
    spend: (key, ms, connectorId) => spent.set(key, { ms: spentBy(key) + ms, at: clock.monotonic() }, [connectorId]),
  };
}

/**
 * Makes the accounts. What is refused is spent by the connector and by whoever brought it, so that nobody for whom a provider signs can
 * spend what their colleagues have: a network a fifth, and for strangers a site and a provider some more. Where all is spent, known
 * networks that spent little still have some, and of strangers' providers those that did.
 */
export function createJudgedTime(
  clock: Pick<Clock, "monotonic">,
  { atOnceMs, inMinuteMs }: TimeRules = RULES,
): JudgedTime {
  const accountsOf = (part: number) =>
    createAccounts(clock, { atOnceMs: atOnceMs * part, inMinuteMs: inMinuteMs * part });
  const all = accountsOf(1);
  const ofNetwork = accountsOf(PARTS.network);
  const ofSite = accountsOf(PARTS.site);
  const ofProvider = accountsOf(PARTS.provider);
  const firstMs = atOnceMs * FIRST;

  function keysOf({ connector_id, ip, isKnown }: Spender) {
    const group = `${connector_id} ${isKnown ? "known" : "strangers"}`;
    const [provider, site, network] = networksAround(ip);
    return { group, provider: `${group} ${provider}`, site: `${group} ${site}`, network: `${group} ${network}` };
  }

  return {
    wait(spender) {
      const { group, provider, site, network } = keysOf(spender);
      const atNetwork = ofNetwork.wait(network, atOnceMs * PARTS.network);
      const atSite = ofSite.wait(site, atOnceMs * PARTS.site);
      const atAll = all.wait(group, atOnceMs);
      if (spender.isKnown)
        return Math.max(atNetwork, Math.min(atAll, Math.max(atSite, ofNetwork.wait(network, firstMs))));
      const atProvider = Math.min(ofProvider.wait(provider, atOnceMs * PARTS.provider), ofSite.wait(site, firstMs));
      return Math.max(atNetwork, atSite, atProvider, Math.min(atAll, ofProvider.wait(provider, firstMs)));
    },
    count(spender, { ms, isBelieved }) {
      const { connector_id } = spender;
      const { group, provider, site, network } = keysOf(spender);
      const counted = Math.min(MOST_OF_ONE_MS, ms * Math.max(1, ms / USUAL_MS));
      // Beyond what all have, what is left for those who spent little is counted as it is.
      const part = counted * (isBelieved && all.wait(group, atOnceMs) === 0 ? BELIEVED : 1);
      all.spend(group, counted, connector_id);
      ofNetwork.spend(network, part, connector_id);
      ofSite.spend(site, part, connector_id);
      ofProvider.spend(provider, part, connector_id);
    },
  };
}
