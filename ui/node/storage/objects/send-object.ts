import { fetchTelling } from "../../../client/fetch-telling.ts";
import { untilTaken } from "../../../client/until-taken.ts";
import { api } from "../../client/api.ts";

/** Sends a file part by part; `onSent` is told which share of it has left, in percent. Throws Problem; half a file is given up. */
export async function sendObject(
  name: string,
  key: string,
  file: File,
  signal: AbortSignal,
  onSent: (percent: number) => void,
): Promise<void> {
  const { upload_id, part_bytes } = await api("POST /api/objects/buckets/{name}/uploads", {
    path: { name },
    body: { key, type: /^[\x20-\x7e]{0,200}$/.test(file.type) ? file.type : "" },
    signal,
  });
  const upload = { name, upload_id };
  try {
    const parts: { number: number; etag: string }[] = [];
    for (let offset = 0; offset < file.size; offset += part_bytes) {
      const piece = file.slice(offset, offset + part_bytes, "application/octet-stream");
      const query = { number: parts.length + 1 };
      const fetch = fetchTelling((share) => onSent(((offset + share * piece.size) / file.size) * 100));
      const sending = { path: upload, query, body: piece, signal, fetch };
      parts.push(await untilTaken(() => api("PUT /api/objects/buckets/{name}/uploads/{upload_id}", sending), signal));
    }
    const end = { path: upload, body: { parts, key }, signal };
    await untilTaken(() => api("POST /api/objects/buckets/{name}/uploads/{upload_id}/finish", end), signal);
  } catch (error) {
    // It is gone already where the server ended it.
    await api("DELETE /api/objects/buckets/{name}/uploads/{upload_id}", { path: upload }).catch(() => "it is gone");
    throw error;
  }
}
