import { addressOf } from "../../client/base.ts";
import { jsonHeaders } from "../../client/call.ts";
import { isRecord } from "../../client/problem.ts";
import { isOver, takeOverSession } from "./api.ts";
import { type Account, isForAllPaths, isNoted, lastAccount } from "./presence.ts";

/** What became of a session that lay in cookies for all paths; an account when its owner has to be asked first. */
type Found = "renewed" | "over" | "unknown" | Account;

/**
 * Takes over the session that a sign-in which began elsewhere, such as by a link, left in cookies for all paths. Any app of this server can
 * leave one there and take the page's own cookies away, so that of another account than the last is not taken over but told.
 */
export async function takeLeftSession(): Promise<Found> {
  // A browser that keeps no key has its own session there.
  if (addressOf("") === "" || !isForAllPaths()) return "over";
  // What is looked at is what is taken over: the cookies may be others at the next request.
  const pair = await ask("/api/auth/refresh", { method: "POST", headers: jsonHeaders, body: "{}" });
  if (typeof pair === "string") return pair;
  const { access_token, refresh_token } = pair;
  const me = await ask(addressOf("/api/auth/me"), { headers: { authorization: `Bearer ${access_token}` } });
  if (typeof me === "string") return me;
  const account = { id: String(me["id"]), name: String(me["username"]) };
  return mayTakeOver(account) ? await takeOverSession(String(refresh_token)) : account;
}

/** Ends the session in cookies for all paths and takes those away, as far as the server can be asked. */
export async function endLeftSession(): Promise<void> {
  await fetch("/api/auth/logout", { method: "POST" }).catch(() => null);
}

function mayTakeOver({ id }: Account): boolean {
  const last = lastAccount();
  return last === null ? !isNoted() : last.id === id;
}

/** What the node answers, or what is known of the session when it does not. */
async function ask(url: string, init: RequestInit): Promise<Record<string, unknown> | "over" | "unknown"> {
  try {
    const response = await fetch(url, { cache: "no-store", ...init });
    if (!response.ok) return isOver(response.status) ? "over" : "unknown";
    const answer: unknown = await response.json();
    return isRecord(answer) ? answer : "unknown";
  } catch {
    return "unknown";
  }
}
