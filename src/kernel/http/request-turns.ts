import { Elysia } from "elysia";
import { createTurnstile } from "../../lib/turnstile.ts";
import { describePeer, networksAround } from "./peer.ts";

/** Requests that are begun in one turn of the event loop, whatever comes of them. */
const PER_TURN = 64;

/**
 * Lets so many requests begin in a turn of the event loop; of the others each provider has its turn, in it each site, and in that each
 * network. As long as the runtime finds more than a thousand connections ready it answers them and comes to nothing else, for seconds
 * where as many ask again and again: those whose request waits for the next turn are not ready.
 */
export function requestTurns(trustedProxies: readonly string[]) {
  const pass = createTurnstile(PER_TURN);
  return new Elysia({ name: "request-turns" }).onRequest(async ({ request, server }) => {
    const turn = pass(() => networksAround(describePeer({ request, server }, trustedProxies).ip));
    if (turn !== undefined) await turn;
  });
}
