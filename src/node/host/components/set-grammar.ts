/** One word of a set: `<id>`, `-<id>`, `<id>=<option>` or `-<id>=<option>`. */
export interface SetWord {
  /** As it was written. */
  text: string;
  id: string;
  option: string | null;
  /** True where it is to be turned on, false where it goes. */
  on: boolean;
}

/** What is wrong with a set: which word, why, and what would be right. */
export interface SetProblem {
  word: string;
  reason: string;
  expected: string;
}

export type ParsedSet = { words: SetWord[] } | { problem: SetProblem };

/** More than any list of components is long. */
const MOST_WORDS = 50;
const LONGEST = 2000;
const NAME = "[a-z][a-z0-9-]{0,39}";
const WORD = new RegExp(`^(-?)(${NAME})(?:=([a-z0-9][a-z0-9-]{0,39}))?$`);
const FORMS = "Write smart to turn it on, -smart to remove it, tuning=zram for an option, with commas between them.";

/** Where something of the same component is said twice, what the two words say together. */
function clashOf(word: SetWord, other: SetWord): string | null {
  const isSame = word.option === other.option;
  const isWhole = word.option === null || other.option === null;
  if (!isSame && !isWhole) return null;
  if (word.on !== other.on) return `contradicts "${other.text}": one turns on what the other removes`;
  return isSame ? "stands in the set twice" : `is part of "${other.text}" or the other way round`;
}

function explainWord(text: string): SetProblem {
  const problem = (reason: string, expected = FORMS): SetProblem => ({ word: shorten(text), reason, expected });
  if (text === "")
    return problem("is an empty word: nothing is named, two commas follow each other, or one is at an end");
  if (/\s/.test(text)) return problem("has a space in it");
  if (text.endsWith("=")) return problem("names no option behind the =");
  if (text.startsWith("--")) return problem("begins with more than one -");
  if (/[A-Z]/.test(text)) return problem("has capital letters", `Write it as ${shorten(text.toLowerCase())}.`);
  if (text.length > 82) return problem("is too long for the name of a component");
  return problem("is not written as a component");
}

const shorten = (text: string): string => (text.length > 60 ? `${text.slice(0, 59)}…` : text);

/** Reads a set of changes, as far as that needs no knowledge of the components there are. */
export function parseSet(set: string): ParsedSet {
  if (set.length > LONGEST)
    return {
      problem: { word: shorten(set), reason: `is longer than ${LONGEST} characters`, expected: "Send it in parts." },
    };
  const texts = set.split(",", MOST_WORDS + 1).map((text) => text.trim());
  if (texts.length > MOST_WORDS) {
    const reason = `is followed by more words than the ${MOST_WORDS} that a set may have`;
    return { problem: { word: shorten(texts[0] ?? ""), reason, expected: "Send it in parts." } };
  }
  const words: SetWord[] = [];
  for (const text of texts) {
    const [, minus, id, option = null] = WORD.exec(text) ?? [];
    if (id === undefined) return { problem: explainWord(text) };
    const word = { text, id, option, on: minus === "" };
    for (const other of words) {
      const reason = other.id === id ? clashOf(word, other) : null;
      if (reason !== null) return { problem: { word: text, reason, expected: "Say each change once." } };
    }
    words.push(word);
  }
  return { words };
}
