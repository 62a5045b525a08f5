import type { AuthorizationQuery } from "../../client/types.ts";

/** What a node asks for, from the address it sent somebody to; null when something is missing or of a kind we do not know. */
export function readRequest(query: URLSearchParams): AuthorizationQuery | null {
  const texts = ["client_id", "redirect_uri", "state", "code_challenge"].map((name) => query.get(name) ?? "");
  const [client_id = "", redirect_uri = "", state = "", code_challenge = ""] = texts;
  if (texts.includes("")) return null;
  if (query.get("response_type") !== "code" || query.get("code_challenge_method") !== "S256") return null;
  return { response_type: "code", client_id, redirect_uri, state, code_challenge, code_challenge_method: "S256" };
}

/** Where to go on to; null unless it is the node that asked, over http. */
export function safeReturn(redirectTo: string, { redirect_uri }: AuthorizationQuery): string | null {
  if (!URL.canParse(redirectTo) || !URL.canParse(redirect_uri)) return null;
  const [to, asked] = [new URL(redirectTo), new URL(redirect_uri)];
  return /^https?:$/.test(to.protocol) && to.origin === asked.origin && to.pathname === asked.pathname ? to.href : null;
}
