import type { NodeFacts } from "../../live/index.ts";

const MAX_URLS = 20;

/** Where a node says that it takes people back who signed in here; compared letter by letter. */
export function signInUrls({ inventory }: Pick<NodeFacts, "inventory">): string[] {
  const told = inventory?.["sign_in_urls"];
  return Array.isArray(told) ? told.filter((url) => typeof url === "string").slice(0, MAX_URLS) : [];
}
