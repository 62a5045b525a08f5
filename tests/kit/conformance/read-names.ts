/** What is known of a case of another store's suite. */
interface NamedCase {
  suite: "ceph" | "garage";
  name: string;
  /** Names of our cases that are it. */
  cases: string[];
  /** A test of ours elsewhere. */
  test: { file: string; title: string } | null;
  /** Why there is none. */
  reason: string | null;
}

/**
 * Reads names.txt. A line is `NAME | case`, `NAME | cases CASE CASE`, `NAME | test FILE: TITLE` or `NAME | left out WORD`, where a line
 * `WORD = REASON` above says why. Names of Garage have `garage ` before them. Throws for any other line.
 */
export function readNames(text: string): NamedCase[] {
  const reasons = new Map<string, string>();
  const names: NamedCase[] = [];
  for (const line of text.split("\n")) {
    if (line === "" || line.startsWith("#")) continue;
    const [, word, why] = /^([a-z0-9-]+) = (.+)$/.exec(line) ?? [];
    if (word !== undefined && why !== undefined) {
      reasons.set(word, why);
      continue;
    }
    const [, garage, name = "", what = ""] = /^(garage )?(\S+) \| (.+)$/.exec(line) ?? [];
    const [, list] = /^cases (.+)$/.exec(what) ?? [];
    const [, file, title] = /^test (\S+): (.+)$/.exec(what) ?? [];
    const reason = reasons.get(/^left out (\S+)$/.exec(what)?.[1] ?? "") ?? null;
    const cases = what === "case" ? [name] : (list?.split(" ") ?? []);
    if (cases.length === 0 && file === undefined && reason === null) throw new Error(`names.txt: ${line}`);
    names.push({
      suite: garage === undefined ? "ceph" : "garage",
      name: `${garage ?? ""}${name}`,
      cases,
      test: file === undefined || title === undefined ? null : { file, title },
      reason,
    });
  }
  return names;
}
