/** Shorter pieces of an address are words such as `api` and `hook`, which answers have by themselves. */
const LEAST_PIECE = 6;
const HIDDEN = "[hidden]";

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** What of an address may open something: all of it but its server, and each of its pieces. */
function piecesOf(address: string): string[] {
  if (!URL.canParse(address)) return [];
  const { href, username, password, pathname, search, hash, searchParams } = new URL(address);
  const whole = pathname + search + hash;
  if (whole === "/" && username === "" && password === "") return [];
  const values = [...pathname.split("/"), ...searchParams.values(), hash.slice(1), username, password];
  return [address, href, whole, pathname + search, pathname, ...values.filter((value) => value.length >= LEAST_PIECE)];
}

/** A text as JSON, HTML and addresses quote it. */
const formsOf = (text: string): string[] => [
  text,
  decoded(text),
  encodeURIComponent(text),
  text.replaceAll("/", "\\/"),
  text.replaceAll("&", "&amp;"),
];

/**
 * What a receiver said, without the secrets and the paths of addresses that it quotes: often the path is the password. The name of its
 * server stays.
 */
export function hideQuoted(text: string, secrets: readonly string[], addresses: readonly string[]): string {
  const parts = [...secrets, ...[...secrets, ...addresses].flatMap(piecesOf)].flatMap(formsOf);
  const longestFirst = [...new Set(parts)].filter((part) => part.length > 1).sort((a, b) => b.length - a.length);
  return longestFirst.reduce((rest, part) => rest.replaceAll(part, HIDDEN), text);
}
