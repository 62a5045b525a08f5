/** What is shorter stands in many texts and is nobody's secret. */
const SHORTEST_SECRET = 6;
const STARS = "••••";

/** A text with stars in place of these secrets, whatever stands around them. */
export function starSecrets(text: string, secrets: readonly string[]): string {
  // The longest first: one may be a part of another.
  const known = secrets.filter(({ length }) => length >= SHORTEST_SECRET).toSorted((a, b) => b.length - a.length);
  return known.reduce((starred, secret) => starred.replaceAll(secret, STARS), text);
}
