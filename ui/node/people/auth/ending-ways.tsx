import type { Kept } from "../../../../src/node/people/users/contract.ts";
import { Checkbox } from "../../../kit/choice.tsx";

/** A kind of way in that outlasts sessions. */
export type WayKind = NonNullable<Kept>[number];

/** How many of a kind an account has; their names where they may be shown. */
export interface LastingWay {
  kind: WayKind;
  count: number;
  names?: readonly string[];
}

const WORDS: Record<WayKind, readonly [one: string, many: string]> = {
  keys: ["API key", "API keys"],
  devices: ["paired app", "paired apps"],
  passkeys: ["passkey", "passkeys"],
  webdav: ["WebDAV password", "WebDAV passwords"],
};
const SHOWN_NAMES = 3;

function listNames(names: readonly string[]): string {
  const rest = names.length - SHOWN_NAMES;
  return names.slice(0, SHOWN_NAMES).join(", ") + (rest > 0 ? ` and ${rest} more` : "");
}

/** What ends with the old passphrase, each kind with a box; nothing where there is nothing to end. */
export function EndingWays({
  ways,
  kept,
  onKept,
}: {
  ways: readonly LastingWay[];
  kept: readonly WayKind[];
  onKept: (kept: WayKind[]) => void;
}) {
  const found = ways.filter(({ count }) => count > 0);
  if (found.length === 0) return null;
  return (
    <fieldset class="stack">
      <legend class="t13 w5">Ends with the old passphrase</legend>
      {found.map(({ kind, count, names }) => (
        <Checkbox
          key={kind}
          checked={!kept.includes(kind)}
          onChecked={(ends) => onKept(ends ? kept.filter((each) => each !== kind) : [...kept, kind])}
          {...(names === undefined ? {} : { sub: listNames(names) })}
        >
          {count} {WORDS[kind][count === 1 ? 0 : 1]}
        </Checkbox>
      ))}
      <p class="t12 c3">Other sessions end in any case. Leave the boxes ticked when somebody else may have got in.</p>
    </fieldset>
  );
}
