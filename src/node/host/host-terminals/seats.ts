import { PANEL } from "../../platform/operations/index.ts";
import { fail } from "./contract.ts";

const USER_LIMIT = 5;
/** All people of the panel together, which counts each of them itself. */
const PANEL_LIMIT = 10;
const NODE_LIMIT = 20;

/** How many terminals may be open at once, wherever they are. */
export interface Seats {
  /** Throws `exec_too_many` where one more terminal of that user is one too many. */
  assertRoom(userId: string): void;
  /** Has a seat while the work lasts. Throws `exec_too_many`. */
  occupy(userId: string, work: () => Promise<void>): Promise<void>;
  /** Resolves when all that are open have ended. */
  idle(): Promise<void>;
}

/** The seats of a node. */
export function createSeats(): Seats {
  const open = new Set<{ user_id: string; done: Promise<void> }>();

  function assertRoom(userId: string): void {
    if (open.size >= NODE_LIMIT) throw fail("exec_too_many", { limit: NODE_LIMIT, where: "on this server" });
    const own = [...open].filter(({ user_id }) => user_id === userId).length;
    const limit = userId === PANEL ? PANEL_LIMIT : USER_LIMIT;
    const where = userId === PANEL ? "from the panel" : "in your name";
    if (own >= limit) throw fail("exec_too_many", { limit, where });
  }

  return {
    assertRoom,
    async occupy(userId, work) {
      // Others may have come in meanwhile.
      assertRoom(userId);
      const { promise: done, resolve } = Promise.withResolvers<void>();
      const seat = { user_id: userId, done };
      open.add(seat);
      try {
        await work();
      } finally {
        open.delete(seat);
        resolve();
      }
    },
    async idle() {
      await Promise.all([...open].map(({ done }) => done));
    },
  };
}
