/** What words are compared with, from what counts most to what counts least. */
export interface Subject {
  title: string;
  /** What kind of thing it is. */
  group?: string;
  /** More words to find it by. */
  words?: string;
}

/** How much a fit in each part counts. */
const parts = { title: 1, words: 0.6, group: 0.5 } as const;

/**
 * How well words fit: 0 is no fit, more is better. Each word has to fit somewhere, in whatever order they stand: a whole word best, then
 * its beginning, its middle, first letters of several words, and at last a word with one slip of the finger.
 */
export function matchScore(query: string, subject: Subject): number {
  const wanted = wordsOf(query);
  if (wanted.length === 0) return 1;
  let score = 0;
  for (const word of wanted) {
    const best = Math.max(
      scoreWord(word, subject.title) * parts.title,
      scoreScattered(word, subject.title),
      scoreWord(word, subject.words ?? "") * parts.words,
      scoreWord(word, subject.group ?? "") * parts.group,
    );
    if (best === 0) return 0;
    score += best;
  }
  const title = subject.title.toLowerCase();
  const whole = wanted.join(" ");
  const bonus = title === whole ? 60 : title.startsWith(whole) ? 20 : 0;
  // Of two that fit alike the shorter one has less that was not asked for.
  return score / wanted.length + bonus - Math.min(9, title.length / 10);
}

/**
 * The things that fit, best first, at most so many; the first ones, in their own order, for an empty query. The chosen one stays as long as
 * it fits, when others that came later fit better.
 */
export function findBest<Thing extends Subject & { id: string }>(
  things: readonly Thing[],
  query: string,
  { most, chosen }: { most: number; chosen: string | null },
): Thing[] {
  const fitting =
    query.trim() === ""
      ? things
      : things
          .map((thing) => ({ thing, score: matchScore(query, thing) }))
          .filter(({ score }) => score > 0)
          .sort((a, b) => b.score - a.score)
          .map(({ thing }) => thing);
  const shown = fitting.slice(0, most);
  const kept = chosen === null ? undefined : fitting.slice(most).find(({ id }) => id === chosen);
  return kept === undefined ? shown : [...shown.slice(0, -1), kept];
}

const wordsOf = (text: string): string[] => text.toLowerCase().split(/\s+/).filter(Boolean);
const piecesOf = (text: string): string[] =>
  text
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter(Boolean);

function scoreWord(word: string, text: string): number {
  if (text === "") return 0;
  const lower = text.toLowerCase();
  const pieces = piecesOf(text);
  // What stands in plural is the list of what was asked for.
  if (pieces.includes(word) || pieces.includes(`${word}s`)) return 100;
  if (pieces.some((piece) => piece.startsWith(word)) || lower.startsWith(word)) return 80;
  if (lower.includes(word)) return 50;
  if (word.length > 1 && startsOf(word, pieces)) return 45;
  return word.length >= 4 && pieces.some((piece) => isSlip(word, piece)) ? 30 : 0;
}

/** Of a name some letters are enough; a row of further words has those of nearly everything somewhere. */
const scoreScattered = (word: string, title: string): number =>
  word.length >= 3 && isScattered(word, title.toLowerCase()) ? 12 : 0;

/** Whether the letters are beginnings of following pieces: `al` and `aulo` of "Audit log". */
function startsOf(word: string, pieces: readonly string[], from = 0): boolean {
  if (word === "") return true;
  return pieces.slice(from).some((piece, index) => {
    for (let length = sameStart(word, piece); length > 0; length--)
      if (startsOf(word.slice(length), pieces, from + index + 1)) return true;
    return false;
  });
}

function sameStart(one: string, other: string): number {
  let length = 0;
  while (length < one.length && one[length] === other[length]) length++;
  return length;
}

/** Whether all letters come in their order, beginning with the start of a piece and close together. */
function isScattered(word: string, text: string): boolean {
  let at = -1;
  let first = -1;
  for (const letter of word) {
    at = text.indexOf(letter, at + 1);
    if (at < 0) return false;
    if (first < 0) first = at;
  }
  const isStart = first === 0 || !/[\p{L}\p{N}]/u.test(text.charAt(first - 1));
  return isStart && at - first < word.length * 4;
}

/** Whether a word, or its beginning, is the wanted one with one letter wrong, missing, too many, or two exchanged. */
function isSlip(word: string, piece: string): boolean {
  if (word.charAt(0) !== piece.charAt(0)) return false;
  return [word.length - 1, word.length, word.length + 1].some((length) => isNear(word, piece.slice(0, length)));
}

function isNear(one: string, other: string): boolean {
  if (Math.abs(one.length - other.length) > 1) return false;
  const at = sameStart(one, other);
  const [a, b] = [one.slice(at), other.slice(at)];
  if (a.length === b.length) {
    const isExchange = a[0] === b[1] && a[1] === b[0] && a.slice(2) === b.slice(2);
    return isExchange || a.slice(1) === b.slice(1);
  }
  return a.length > b.length ? a.slice(1) === b : b.slice(1) === a;
}
