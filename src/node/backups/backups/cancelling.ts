import type { Asker } from "../../platform/operations/index.ts";
import { explain, type Failure } from "./failures.ts";
import type { Own } from "./needs.ts";
import type { Aside } from "./one-at-a-time.ts";

/** What becomes of what somebody cancelled; `left` says what there is of it. */
export const stopped = ({ lists }: Pick<Own, "lists">, { user_id }: Asker, left: string): Failure => {
  const name = lists.names.all().reduce<string | null>((found, find) => found ?? find(user_id), null) ?? "somebody";
  return {
    code: "backup_cancelled",
    message: `It was cancelled by ${name}. ${left}`,
    next_step: "Begin again when you like.",
  };
};

/**
 * Runs what is about a backup so that whoever cancels that ends it, until it stays. `told` is said then, `left` in its operation; what
 * was through all the same is as it was.
 */
export async function untilCancelled(
  own: Pick<Own, "cancel" | "lists">,
  { id, told, left }: { id: string; told: string; left: string },
  task: (aside: Aside) => Promise<Failure | null>,
): Promise<Failure | null> {
  const ending = new AbortController();
  const { signal } = ending;
  const cancelled: { by: Asker | null } = { by: null };
  let stays = false;
  const cancel = {
    id,
    told,
    end(asker: Asker) {
      cancelled.by = asker;
      ending.abort();
    },
  };
  own.cancel = cancel;
  const release = () => {
    if (own.cancel === cancel) own.cancel = null;
  };
  const stay = () => {
    stays = true;
    release();
  };
  const failure = await task({ signal, stay })
    .catch((error: unknown) => {
      if (!signal.aborted) throw error;
      return explain(error);
    })
    .finally(release);
  return failure === null || cancelled.by === null || stays ? failure : stopped(own, cancelled.by, left);
}
