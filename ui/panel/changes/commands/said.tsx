import type { Command } from "../../../../src/panel/changes/commands/contract.ts";
import { useResource } from "../../client/resource.ts";
import { isOver } from "./words.ts";

/** What a list tells of what a node said. */
type Told = Pick<Command, "error" | "output">;

interface SaidProps {
  /** The command. */
  id: string;
  told: Told;
  /** There is more than the list tells. */
  isCut: boolean;
  /** Classes of the box that it stands in. */
  look: string;
}

/** Everything that a node said in answer to a command; null and empty texts are left out. */
export const saidText = ({ error, output }: Told): string => [error, output].filter(Boolean).join("\n");

/** What a node said: what the list has of it at once, and all of it when that has come. */
export function Said({ id, told, isCut, look }: SaidProps) {
  return isCut ? <Whole id={id} told={told} look={look} /> : <Text look={look}>{saidText(told)}</Text>;
}

function Whole({ id, told, look }: Omit<SaidProps, "isCut">) {
  const command = useResource("GET /api/fleet/commands/{id}", { path: { id } });
  const whole = command.data.value;
  const problem = command.problem.value;
  return (
    <>
      <Text look={look} isBusy={whole === null && problem === null}>
        {saidText(whole ?? told)}
      </Text>
      {whole?.output_truncated === true && isOver(whole) && (
        <p class="said-note t12 c3">The rest is not kept any more: newer outputs of this workspace took its room.</p>
      )}
      {whole === null && problem !== null && (
        <p class="said-note t12 c3">This is the beginning. The rest could not be read: {problem.message}</p>
      )}
    </>
  );
}

/** A tab stop, so that keys can scroll what is longer than its box. */
function Text({ look, isBusy = false, children }: { look: string; isBusy?: boolean; children: string }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reached by keys
    <pre class={look} aria-busy={isBusy || undefined} tabIndex={0}>
      {children}
    </pre>
  );
}
