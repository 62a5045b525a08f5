/** Longer texts are what some program said, not what a person wrote for a person. */
const longest = 160;
const digest = /\b(sha(?:256|512)):([0-9a-f]{12})[0-9a-f]{20,}/g;

/** Digests with as much of them as people compare. */
export function shortenDigests(text: string): string {
  return text.replace(digest, "$1:$2…");
}

/** What happened in words that fit a line, and the whole of it where that is more. */
export function tellCause(text: string): { words: string; details: string | null } {
  const short = shortenDigests(text).trim();
  if (short === text && short.length <= longest) return { words: short, details: null };
  // What a program said comes behind the words of whoever passes it on.
  const said = short.search(/: |\. |\n/);
  const first = said > 0 && said <= longest ? short.slice(0, said) : short;
  const words = first.length <= longest ? first : `${first.slice(0, longest - 1).trimEnd()}…`;
  return { words: /[.!?…]$/.test(words) ? words : `${words}.`, details: text };
}
