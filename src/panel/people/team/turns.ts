import type { Clock } from "../../../lib/clock.ts";
import { seconds } from "../../../lib/duration.ts";

/** Tells those who look at something shared that it changed, in turns: in a crowd where always something changes everybody is told seldom, not all at once. */
export interface Turns {
  /** Somebody looks now, and knows how things are. The returned function takes them out. */
  join(tenantId: string, tell: () => void): () => void;
  /** Something in a workspace is not as it was. */
  changed(tenantId: string): void;
}

interface Reader {
  tell: () => void;
  /** The change that they know of. */
  known: number;
}

interface Workspace {
  latest: number;
  /** Those who were told last stand at the end. */
  readers: Set<Reader>;
}

const TURN_MS = seconds(1);
/** How many are told in a turn, of the whole panel: each of them asks for what is new. */
const PER_TURN = 10;

/** Makes that, with nobody looking yet. */
export function createTurns(clock: Pick<Clock, "after">, perTurn: number = PER_TURN): Turns {
  const workspaces = new Map<string, Workspace>();
  /** Workspaces with somebody who has to be told; one after the other gets its turn. */
  const behind = new Set<string>();
  let isPlanned = false;

  function nextOf(tenantId: string): Reader | null {
    const workspace = workspaces.get(tenantId);
    const [reader] = workspace?.readers ?? [];
    if (!(workspace && reader) || reader.known === workspace.latest) return null;
    reader.known = workspace.latest;
    workspace.readers.delete(reader);
    workspace.readers.add(reader);
    return reader;
  }

  function takeTurn(): void {
    isPlanned = false;
    let left = perTurn;
    // What is put back here comes once more.
    for (const tenantId of behind) {
      behind.delete(tenantId);
      const reader = nextOf(tenantId);
      if (!reader) continue;
      behind.add(tenantId);
      reader.tell();
      left -= 1;
      if (left === 0) break;
    }
    plan();
  }

  function plan(): void {
    if (isPlanned || behind.size === 0) return;
    isPlanned = true;
    clock.after(TURN_MS, takeTurn);
  }

  return {
    join(tenantId, tell) {
      const workspace = workspaces.get(tenantId) ?? { latest: 0, readers: new Set() };
      workspaces.set(tenantId, workspace);
      const reader = { tell, known: workspace.latest };
      workspace.readers.add(reader);
      return () => {
        workspace.readers.delete(reader);
        if (workspace.readers.size === 0 && workspaces.get(tenantId) === workspace) workspaces.delete(tenantId);
      };
    },
    changed(tenantId) {
      const workspace = workspaces.get(tenantId);
      if (!workspace) return;
      workspace.latest += 1;
      behind.add(tenantId);
      plan();
    },
  };
}
