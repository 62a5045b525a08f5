/** A process of our own that answers with as many characters as it is asked for; none: with what cannot be read. */
import { answerAsProcess } from "../../src/kernel/host/own-process.ts";

await answerAsProcess((characters: number): string | undefined =>
  characters === 0 ? undefined : "a".repeat(characters),
);
