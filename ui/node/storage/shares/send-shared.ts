import { asProblem } from "../../../client/problem.ts";
import { api } from "../../client/api.ts";

/** What one request takes; larger files go in chunks. */
const REQUEST_BYTES = 6 * 1_048_576;
/** How often a piece is sent again, and how long is waited before each, in milliseconds. */
const WAITS_MS = [1_000, 3_000, 10_000, 30_000];

/** Where a file goes. */
export interface SharedPlace {
  token: string;
  pass: string | null;
  folder: string | null;
}

/** Sends again what did not arrive, or came when too much was on its way. */
async function untilTaken<T>(send: () => Promise<T>): Promise<T> {
  for (let tries = 0; ; tries += 1) {
    try {
      return await send();
    } catch (error) {
      const { status, code, retryAfter } = asProblem(error);
      const pause = WAITS_MS[tries];
      const mayPass = code === "unreachable" || status === 429 || status === 503;
      if (pause === undefined || !mayPass) throw error;
      await new Promise((resolve) => setTimeout(resolve, Math.max(pause, (retryAfter ?? 0) * 1_000)));
    }
  }
}

/** Puts a file into a shared folder; a large one in chunks, of which it tells how many bytes are there. Throws Problem. */
export async function sendShared(
  { token, pass, folder }: SharedPlace,
  file: File,
  onProgress: (bytes: number) => void,
): Promise<void> {
  const password = pass === null ? {} : { pass };
  const place = folder === null ? {} : { folder_id: folder };
  if (file.size <= REQUEST_BYTES) {
    const body = new FormData();
    body.set("file", file);
    const query = { ...password, ...place };
    await api("POST /api/shares/{token}/upload", { path: { token }, query, body, anonymous: true });
    return;
  }
  const begun = await api("POST /api/shares/{token}/uploads", {
    path: { token },
    query: password,
    body: { name: file.name, size_bytes: file.size, ...place },
    anonymous: true,
  });
  const path = { token, upload_id: begun.upload_id };
  for (let number = 1; number <= begun.chunks; number += 1) {
    const from = (number - 1) * begun.chunk_bytes;
    const body = file.slice(from, from + begun.chunk_bytes, "application/octet-stream");
    const query = { number, ...password };
    await untilTaken(() => api("PUT /api/shares/{token}/uploads/{upload_id}", { path, query, body, anonymous: true }));
    onProgress(from + body.size);
  }
  await untilTaken(() =>
    api("POST /api/shares/{token}/uploads/{upload_id}/finish", { path, query: password, anonymous: true }),
  );
}
