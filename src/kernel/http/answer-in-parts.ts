const ENCODER = new TextEncoder();

/** Items of a list that are written at one go. */
const SLICE = 500;

/** What makes the parts of a JSON list with what stands around it; at least one. */
export function listParts<Item>(
  items: readonly Item[],
  present: (item: Item) => unknown,
  { before = "[", after = "]" }: { before?: string; after?: string } = {},
): (() => string)[] {
  const count = Math.max(1, Math.ceil(items.length / SLICE));
  return Array.from({ length: count }, (_, index) => () => {
    const slice = items.slice(index * SLICE, (index + 1) * SLICE);
    const rows = slice.map((item) => JSON.stringify(present(item))).join(",");
    return `${index === 0 ? before : ","}${rows}${index === count - 1 ? after : ""}`;
  });
}

/**
 * A JSON answer that is made part by part, each when the client has taken those before. `othersFirst` is waited for before each: a client
 * that takes them as fast as they come would have all of them in one turn of the event loop.
 */
export function answerInParts(parts: readonly (() => string)[], othersFirst: () => Promise<void>): Response {
  let next = 0;
  let isLeft = false;
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      await othersFirst();
      if (isLeft) return;
      controller.enqueue(ENCODER.encode(parts[next]?.()));
      next += 1;
      if (next >= parts.length) controller.close();
    },
    cancel() {
      isLeft = true;
    },
  });
  return new Response(body, { headers: { "content-type": "application/json; charset=utf-8" } });
}
