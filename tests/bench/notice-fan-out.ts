import { connect } from "node:net";
import { ask, signIn } from "./fleet-owner.ts";
import type { Running } from "./programs.ts";
import { type Figure, median } from "./table.ts";

/** Who looks, and whose factors are asked to be taken off: what all who manage the team are told of. */
export interface Watchers {
  tokens: readonly string[];
  /** Members with a second factor; each gives one notice. */
  guarded: readonly string[];
}

interface Page {
  /** Resolves with the next number of unread notices that the page has learnt. */
  next(): Promise<number>;
  close(): void;
}

/** A page that follows the stream and asks how many notices are unread, as the bell does. */
async function openPage({ url }: Running, token: string): Promise<Page> {
  const { hostname, port, host } = new URL(url);
  const headers = { authorization: `Bearer ${token}` };
  let waiting = Promise.withResolvers<number>();
  // `fetch` keeps no more than some hundred connections.
  const socket = connect(Number(port), hostname, () =>
    socket.write(`GET /api/changes HTTP/1.1\r\nhost: ${host}\r\nauthorization: ${headers.authorization}\r\n\r\n`),
  );
  socket.setEncoding("latin1");
  socket.on("error", (error) => waiting.reject(error));
  socket.on("data", (text: string) => {
    if (!text.includes('"notifications"')) return;
    const mine = waiting;
    waiting = Promise.withResolvers();
    void countUnread(url, headers).then(mine.resolve, mine.reject);
  });
  await waiting.promise;
  return { next: () => waiting.promise, close: () => socket.destroy() };
}

async function countUnread(url: string, headers: Record<string, string>): Promise<number> {
  const answer = await fetch(`${url}/api/notifications/count`, { headers });
  return ((await answer.json()) as { unread_count: number }).unread_count;
}

/** How long it takes until the last of many pages shows a notice, from the moment that its cause is asked for. */
export async function measureFanOut(panel: Running, { tokens, guarded }: Watchers): Promise<Figure> {
  const pages: Page[] = [];
  for (let from = 0; from < tokens.length; from += 50)
    pages.push(...(await Promise.all(tokens.slice(from, from + 50).map((token) => openPage(panel, token)))));
  const owner = await signIn(panel);
  const times: number[] = [];
  for (const [index, id] of guarded.entries()) {
    // The next event comes no sooner than a second after the last.
    await Bun.sleep(1_500);
    const begin = performance.now();
    const learnt = Promise.all(pages.map(({ next }) => next()));
    await ask(panel, `/api/team/members/${id}/factor-reset`, owner, {});
    const counts = await learnt;
    times.push(performance.now() - begin);
    const wrong = counts.find((count) => count !== index + 1);
    if (wrong !== undefined) throw new Error(`a page shows ${wrong} notices instead of ${index + 1}`);
  }
  for (const { close } of pages) close();
  return {
    measure: `a notice on the pages of ${tokens.length} members`,
    value: median(times),
    unit: "ms",
    limit: { kind: "most", value: 1_000 },
    baseline: null,
    note: `until the last one shows it; longest of ${times.length}: ${Math.max(...times).toFixed(0)} ms`,
  };
}
