/**
 * Keeps what texts mean, so that no request reads one anew: those that were used last, of at most so many letters together. `read` makes
 * the same of the same text, and nobody changes what it made.
 */
export function keepReadings<T>(read: (text: string) => T, mostLetters: number): (text: string) => T {
  const kept = new Map<string, { made: T }>();
  let letters = 0;

  function makeRoom(): void {
    for (const text of kept.keys()) {
      if (letters <= mostLetters) return;
      kept.delete(text);
      letters -= text.length;
    }
  }

  return (text) => {
    const known = kept.get(text);
    const made = known ?? { made: read(text) };
    if (text.length > mostLetters) return made.made;
    if (known === undefined) letters += text.length;
    // The last of them is the one that was used last.
    else kept.delete(text);
    kept.set(text, made);
    makeRoom();
    return made.made;
  };
}
