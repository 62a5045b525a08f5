import { maskCommand, maskLabels, maskVariable } from "../../../lib/mask-secrets.ts";
import { starSecrets } from "../../../lib/star-secrets.ts";

/** Characters of all labels of a container: everybody who may look at containers asks for those of all of them. */
const MOST_OF_LABELS = 16_384;
/** Characters of a command, and of all variables. */
const MOST_OF_OTHERS = 65_536;
/** In the place of what is too long. */
const LEFT_OUT = "…";

/** Says of texts, one after the other, whether there is room for them too. Long ones take none from those behind them. */
function createRoom(most: number): (length: number) => boolean {
  let left = most;
  return (length) => {
    if (length > left) return false;
    left -= length;
    return true;
  };
}

/**
 * Labels without secrets, those that are known among them. Images bring labels of their own, of megabytes if somebody likes, and looking
 * for secrets takes its time: what has no room is not shown.
 */
export function showLabels(labels: Record<string, string>, known: readonly string[]): Record<string, string> {
  const hasRoom = createRoom(MOST_OF_LABELS);
  return maskLabels(
    Object.fromEntries(
      Object.entries(labels)
        .filter(([name]) => hasRoom(name.length + 1))
        .map(([name, value]) => [name, hasRoom(value.length) ? starSecrets(value, known) : LEFT_OUT]),
    ),
  );
}

/** A command without secrets, as far as there is room. */
export function showCommand(argv: readonly string[], known: readonly string[]): string[] {
  const hasRoom = createRoom(MOST_OF_OTHERS);
  const shown = argv.filter(() => hasRoom(1)).map((part) => (hasRoom(part.length) ? part : LEFT_OUT));
  return maskCommand(shown.map((part) => starSecrets(part, known)));
}

/** Variables without secrets, as far as there is room. */
export function showVariables(entries: readonly string[], known: readonly string[]): ReturnType<typeof maskVariable>[] {
  const hasRoom = createRoom(MOST_OF_OTHERS);
  return entries
    .filter((entry) => hasRoom(entry.length + 1))
    .map((entry) => {
      const { name, value } = maskVariable(entry);
      return { name, value: value === null || starSecrets(value, known) !== value ? null : value };
    });
}
