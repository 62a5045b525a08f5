import type { EndedWays } from "../users/index.ts";

const WORDS: Readonly<Record<string, readonly [one: string, many: string]>> = {
  keys: ["API key", "API keys"],
  devices: ["paired app", "paired apps"],
  passkeys: ["passkey", "passkeys"],
  webdav: ["WebDAV password", "WebDAV passwords"],
};

/** The kinds of lasting ways, as options name them. */
export const WAY_KINDS: readonly string[] = Object.keys(WORDS);

/** How many there are of each kind, for people; empty when there are none. */
export const tellWays = (ways: EndedWays): string =>
  Object.entries(ways)
    .filter(([, count]) => count > 0)
    .map(([name, count]) => `${count} ${WORDS[name]?.[count === 1 ? 0 : 1] ?? name}`)
    .join(", ");

/** What ended besides sessions, to be put behind the word "ended"; empty when nothing did. */
export function tellEnded(ended: EndedWays): string {
  const told = tellWays(ended);
  return told === "" ? "" : `, and with them ${told}`;
}
