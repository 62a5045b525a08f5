/**
 * Splits a command line into argv as Compose does: blanks separate, quotes keep together, a backslash takes the next
 * character as it is. No variable, glob or operator has a meaning. `null` when a quote stays open.
 */
export function splitShellWords(text: string): string[] | null {
  const words: string[] = [];
  let word: string | null = null;
  let quote = "";
  for (let index = 0; index < text.length; index += 1) {
    const char = text.charAt(index);
    if (char === "\\" && quote !== "'") {
      const next = text.charAt(index + 1);
      // Between double quotes a backslash is itself unless it protects one of these.
      const isKept = quote === '"' && !['"', "\\", "$", "`"].includes(next);
      word = (word ?? "") + (isKept ? char + next : next);
      index += 1;
      continue;
    }
    if (quote !== "") {
      if (char !== quote) word = (word ?? "") + char;
      quote = char === quote ? "" : quote;
      continue;
    }
    if (char === '"' || char === "'") {
      quote = char;
      word = word ?? "";
      continue;
    }
    if (/\s/.test(char)) {
      if (word !== null) words.push(word);
      word = null;
      continue;
    }
    word = (word ?? "") + char;
  }
  if (quote !== "") return null;
  if (word !== null) words.push(word);
  return words;
}
