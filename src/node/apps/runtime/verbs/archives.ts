import { Readable } from "node:stream";
import type { Wire } from "../engine-wire.ts";

/** Verbs about what lies in containers and their volumes, as tar archives; a container need not run for it. */
export function archiveVerbs(wire: Wire) {
  const path = (id: string) => `/containers/${encodeURIComponent(id)}/archive`;
  return {
    /** A folder with owners, modes, times and links; the names in it begin with that of the folder. */
    readArchive: (id: string, folder: string, signal: AbortSignal): Promise<AsyncIterable<Uint8Array>> =>
      wire.open("GET", path(id), { query: { path: folder }, signal }),

    /** Unpacks an archive below a folder. Throws what reading `source` throws, and EngineError. */
    async writeArchive(
      id: string,
      folder: string,
      source: AsyncIterable<Uint8Array>,
      signal: AbortSignal,
    ): Promise<void> {
      const broken = new AbortController();
      let cause: unknown = null;
      const pieces = async function* () {
        try {
          yield* source;
        } catch (error) {
          // Half an archive must not look like a whole one.
          cause = error;
          broken.abort();
          throw error;
        }
      };
      const file = Readable.from(pieces(), { objectMode: false });
      // It is told to the request; alone it would end the program.
      file.on("error", () => {});
      try {
        await wire.call("PUT", path(id), {
          query: { path: folder },
          headers: { "Content-Type": "application/x-tar" },
          file,
          signal: AbortSignal.any([signal, broken.signal]),
        });
      } catch (error) {
        throw cause ?? error;
      } finally {
        file.destroy();
      }
    },
  };
}
