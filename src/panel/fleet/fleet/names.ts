/** Numbers for texts that come again and again, so that scans compare numbers. */
export interface Names {
  /** The number of a text, a new one if need be; 0 for null and the empty text. */
  codeOf(text: string | null): number;
  /** The number of a text, null when it never came. */
  find(text: string): number | null;
  nameOf(code: number): string;
  /** One more than the highest number. */
  size(): number;
}

/** Empty but for the empty text. */
export function createNames(): Names {
  const codes = new Map<string, number>([["", 0]]);
  const names = [""];
  return {
    codeOf(text) {
      const known = codes.get(text ?? "");
      if (known !== undefined) return known;
      codes.set(text ?? "", names.length);
      return names.push(text ?? "") - 1;
    },
    find: (text) => codes.get(text) ?? null,
    nameOf: (code) => names[code] ?? "",
    size: () => names.length,
  };
}
