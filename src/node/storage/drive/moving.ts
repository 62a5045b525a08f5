import { minutes } from "../../../lib/duration.ts";

/** What has to come of an upload within a minute for it to move; whoever sends less only holds the place. */
export const MOVING_BYTES = 64 * 1024;
const STILL_MS = minutes(1);

/** Which uploads have chunks on their way, and of which of them something comes. */
export interface Moving {
  /** Follows a chunk for as long as `take` takes it. */
  during<T>(
    id: string,
    bytes: AsyncIterable<Uint8Array>,
    take: (followed: AsyncIterable<Uint8Array>) => Promise<T>,
  ): Promise<T>;
  /** True while a chunk is on its way. */
  isSending(id: string): boolean;
  /** True where nothing worth a place came for a minute, neither a whole chunk nor enough of one. */
  isStill(upload: { id: string; touched_at: number }): boolean;
}

/** Follows chunks; nothing is kept of an upload that has none on their way. */
export function followChunks(now: () => number): Moving {
  const sending = new Map<string, { chunks: number; bytes: number; movedAt: number }>();
  return {
    async during(id, bytes, take) {
      const known = sending.get(id) ?? { chunks: 0, bytes: 0, movedAt: 0 };
      sending.set(id, known);
      known.chunks += 1;
      async function* followed() {
        for await (const piece of bytes) {
          known.bytes += piece.length;
          if (known.bytes >= MOVING_BYTES) {
            known.bytes = 0;
            known.movedAt = now();
          }
          yield piece;
        }
      }
      try {
        return await take(followed());
      } finally {
        known.chunks -= 1;
        if (known.chunks === 0) sending.delete(id);
      }
    },
    isSending: (id) => sending.has(id),
    isStill: ({ id, touched_at }) => Math.max(touched_at, sending.get(id)?.movedAt ?? 0) < now() - STILL_MS,
  };
}
