import type { SeededFolder } from "./seed.ts";
import type { Figure } from "./table.ts";

/** What every measure is given. */
export interface Bench {
  /** A data folder with the apps of the budget. */
  folder: SeededFolder;
  /** Says what is going on. */
  say(line: string): void;
}

/** One measure; it may give several figures. */
export interface Measure {
  name: string;
  run(bench: Bench): Promise<Figure[]>;
}

/** Request headers of the signed-in owner. */
export async function ownerHeaders({ folder }: Bench): Promise<Record<string, string>> {
  return { authorization: `Bearer ${(await folder.signIn()).access}` };
}
