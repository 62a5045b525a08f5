import type { Asker } from "../../platform/operations/index.ts";
import { Cancelled, explain, type Failure } from "./failures.ts";
import type { Own } from "./needs.ts";
import type { Aside } from "./one-at-a-time.ts";

/** What is about a backup and may be cancelled: `told` is said then, `left` in its operation. */
interface About {
  id: string;
  told: string;
  left: string;
}

type Cancelling = Pick<Own, "cancel" | "lists">;

/** What becomes of what somebody cancelled; `left` says what there is of it. */
export const stopped = ({ lists }: Pick<Own, "lists">, { user_id }: Asker, left: string): Failure => {
  const name = lists.names.all().reduce<string | null>((found, find) => found ?? find(user_id), null) ?? "somebody";
  return {
    code: "backup_cancelled",
    message: `It was cancelled by ${name}. ${left}`,
    next_step: "Begin again when you like.",
  };
};

/** Lets it be cancelled until `release`, or until it stays; `ended` answers what became of it where it was. */
function arm(own: Cancelling, { id, told, left }: About) {
  const ending = new AbortController();
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
  const aside: Aside = { signal: ending.signal, stay };
  return { aside, release, ended: () => (cancelled.by === null || stays ? null : stopped(own, cancelled.by, left)) };
}

/** Runs what answers how it ended so that whoever cancels that ends it, until it stays; what was through all the same is as it was. */
export async function untilCancelled(
  own: Cancelling,
  about: About,
  task: (aside: Aside) => Promise<Failure | null>,
): Promise<Failure | null> {
  const { aside, release, ended } = arm(own, about);
  const failure = await task(aside)
    .catch((error: unknown) => {
      if (!aside.signal.aborted) throw error;
      return explain(error);
    })
    .finally(release);
  return failure === null ? null : (ended() ?? failure);
}

/** The same of what answers something else. Throws `Cancelled`. */
export async function whileCancellable<Result>(
  own: Cancelling,
  about: About,
  task: (aside: Aside) => Promise<Result>,
): Promise<Result> {
  const { aside, release, ended } = arm(own, about);
  try {
    return await task(aside);
  } catch (error) {
    const failure = ended();
    throw failure === null ? error : new Cancelled(failure);
  } finally {
    release();
  }
}
