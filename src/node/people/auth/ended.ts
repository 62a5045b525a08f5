import type { EndedWays } from "../users/index.ts";

const WORDS: Readonly<Record<string, readonly [one: string, many: string]>> = {
  keys: ["API key", "API keys"],
  devices: ["paired app", "paired apps"],
  passkeys: ["passkey", "passkeys"],
  webdav: ["WebDAV password", "WebDAV passwords"],
};

/** What ended besides sessions, to be put behind the word "ended"; empty when nothing did. */
export function tellEnded(ended: EndedWays): string {
  const parts = Object.entries(ended)
    .filter(([, count]) => count > 0)
    .map(([name, count]) => `${count} ${WORDS[name]?.[count === 1 ? 0 : 1] ?? name}`);
  return parts.length === 0 ? "" : `, and with them ${parts.join(", ")}`;
}
