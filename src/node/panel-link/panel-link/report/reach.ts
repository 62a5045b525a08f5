import { connect } from "node:net";
import type { Clock } from "../../../../lib/clock.ts";
import { seconds } from "../../../../lib/duration.ts";

type Deps = { clock: Pick<Clock, "monotonic" | "after"> };

const PATIENCE_MS = seconds(1.5);
const TRIES = 2;
const AT_ONCE = 8;

/**
 * How long a TCP connection to each address takes in milliseconds, the best of two tries; null where none comes about. Nothing
 * is sent over it.
 */
export async function measureReach(
  deps: Deps,
  addresses: readonly string[],
  port: number,
): Promise<Map<string, number | null>> {
  const found = new Map<string, number | null>();
  const waiting = [...new Set(addresses)];
  const work = async (): Promise<void> => {
    for (let address = waiting.pop(); address !== undefined; address = waiting.pop()) {
      found.set(address, await bestOf(deps, address, port));
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  return found;
}

async function bestOf(deps: Deps, address: string, port: number): Promise<number | null> {
  const times: number[] = [];
  for (let attempt = 0; attempt < TRIES; attempt++) {
    const time = await connectOnce(deps, address, port);
    if (time !== null) times.push(time);
  }
  return times.length === 0 ? null : Math.min(...times);
}

function connectOnce({ clock }: Deps, host: string, port: number): Promise<number | null> {
  const begun = clock.monotonic();
  return new Promise((resolve) => {
    const socket = connect({ host, port });
    const finish = (time: number | null): void => {
      cancel();
      socket.destroy();
      resolve(time);
    };
    const cancel = clock.after(PATIENCE_MS, () => finish(null));
    socket.on("connect", () => finish(clock.monotonic() - begun));
    socket.on("error", () => finish(null));
  });
}
