/** How well a query fits a text: 0 is no fit, more is better. Letters must come in order; starts of words count most. */
export function fuzzyScore(query: string, text: string): number {
  const want = query.toLowerCase().replace(/\s+/g, "");
  const have = text.toLowerCase();
  if (want === "") return 1;
  const whole = have.indexOf(query.toLowerCase().trim());
  if (whole >= 0) return 1000 - whole * 2 - have.length * 0.1 + (isStart(have, whole) ? 200 : 0);
  let score = 0;
  let at = 0;
  let run = 0;
  for (const letter of want) {
    const found = have.indexOf(letter, at);
    if (found < 0) return 0;
    run = found === at ? run + 1 : 1;
    score += run * 2 + (isStart(have, found) ? 12 : 0) - Math.min(6, found - at);
    at = found + 1;
  }
  return Math.max(1, score - have.length * 0.05);
}

function isStart(text: string, index: number): boolean {
  return index === 0 || !/[a-z0-9]/.test(text.charAt(index - 1));
}
