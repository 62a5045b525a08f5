import { readCookie } from "../../../kernel/http/own-page.ts";
import { minutes } from "../../../lib/duration.ts";
import { ACCESS_COOKIE, HINT_COOKIE } from "../../people/sign-ins/index.ts";
import { findPerson } from "../panel-link/index.ts";
import { fail } from "./contract.ts";
import type { Own, Visitor } from "./needs.ts";

/** How long the question to whoever is signed in stands. */
export const ASKING_MS = minutes(5);
const CONFIRM_BYTES = 24;

/**
 * Lets only pages of their own through, as somebody opens them: an image or a frame on a foreign page would sign its reader
 * in as somebody else. Browsers say so over https and on this machine; elsewhere what they want to have tells them apart from
 * pages. Programs say nothing. Throws `panel_not_a_page`.
 */
export function assertPage({ headers }: Request): void {
  const dest = headers.get("sec-fetch-dest");
  const mode = headers.get("sec-fetch-mode");
  const isBrowser = headers.get("user-agent")?.startsWith("Mozilla/") === true;
  const isPage =
    dest === null && mode === null
      ? !isBrowser || headers.get("accept")?.includes("text/html") === true
      : dest === "document" && mode === "navigate";
  if (!isPage) throw fail("panel_not_a_page");
}

type Deps = Pick<Own, "db" | "clock" | "sessions" | "users" | "ids" | "arrivals">;

/** The session of whoever is signed in with this browser; null where nobody is. */
export async function findSessionHere({ clock, sessions }: Pick<Deps, "clock" | "sessions">, request: Request) {
  // Also by a token that has run out: its session goes on as long as it can be renewed. That of a page of ours does not come here.
  const token = readCookie(request, ACCESS_COOKIE);
  const hint = readCookie(request, HINT_COOKIE)?.replace(/~$/, "") ?? null;
  const sessionId = token === null ? hint : await sessions.tokens.sessionOf(token);
  const session = sessionId === null ? null : sessions.find(sessionId);
  return session && session.revoked_at === null && session.expires_at > clock.now() ? session : null;
}

/** The name of whoever is signed in with this browser and is not the one who arrives; null when there is nobody to ask. */
export async function findSomebodyElse(deps: Deps, request: Request, identity: Visitor): Promise<string | null> {
  const { db, users } = deps;
  const session = await findSessionHere(deps, request);
  if (session === null) return null;
  if (findPerson(db, identity)?.user_id === session.user_id) return null;
  return users.find(session.user_id)?.username ?? null;
}

/** Keeps an arrival until the button is pressed, and tells what the button has to send. */
export function holdArrival({ ids, arrivals }: Deps, identity: Visitor, next: string): string {
  const confirm = ids.token(CONFIRM_BYTES);
  arrivals.set(confirm, { identity, next }, [identity.account_id]);
  return confirm;
}
