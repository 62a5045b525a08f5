import { useEffect, useState } from "preact/hooks";
import type { Command } from "../../../../src/panel/changes/commands/contract.ts";
import { asProblem, type Problem } from "../../../client/problem.ts";
import { api } from "../../client/api.ts";
import { isOver } from "./words.ts";

/** The largest page that the API gives. */
const pageSize = 200;
const quickMs = 2_000;
/** With more pages than these the list is asked for less often. */
const fewPages = 5;

/** What became of commands that were just sent, by their ids, until all of them are over. */
export function useFollowed(ids: readonly string[]): {
  commands: ReadonlyMap<string, Command>;
  problem: Problem | null;
} {
  const [commands, setCommands] = useState<ReadonlyMap<string, Command>>(new Map());
  const [problem, setProblem] = useState<Problem | null>(null);
  useEffect(() => {
    const abort = new AbortController();
    let timer: ReturnType<typeof setTimeout> | undefined;
    const look = async (): Promise<void> => {
      let found: ReadonlyMap<string, Command> = new Map();
      try {
        found = await readCommands(ids, abort.signal);
        setCommands(found);
        setProblem(null);
      } catch (error) {
        if (abort.signal.aborted) return;
        setProblem(asProblem(error));
      }
      const isDone = ids.every((id) => {
        const command = found.get(id);
        return command !== undefined && isOver(command);
      });
      const isMany = ids.length > fewPages * pageSize;
      if (!isDone && !abort.signal.aborted) timer = setTimeout(() => void look(), isMany ? 5 * quickMs : quickMs);
    };
    if (ids.length > 0) void look();
    return () => {
      abort.abort();
      clearTimeout(timer);
    };
  }, [ids]);
  return { commands, problem };
}

/** The newest commands back to the first of these: their ids rise with time. */
async function readCommands(ids: readonly string[], signal: AbortSignal): Promise<Map<string, Command>> {
  const wanted = new Set(ids);
  const first = ids.toSorted()[0] ?? "";
  const found = new Map<string, Command>();
  let before: string | undefined;
  while (true) {
    const { commands } = await api("GET /api/fleet/commands", { query: { limit: pageSize, before }, signal });
    for (const command of commands) if (wanted.has(command.id)) found.set(command.id, command);
    before = commands.at(-1)?.id;
    if (commands.length < pageSize || before === undefined || before <= first || found.size === wanted.size)
      return found;
  }
}
