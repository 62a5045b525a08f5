import { api } from "../../client/api.ts";

/** Sends a file part by part; `onPart` is told which share of it is there. Throws Problem; half a file is given up. */
export async function sendObject(
  name: string,
  key: string,
  file: File,
  signal: AbortSignal,
  onPart: (percent: number) => void,
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
      const part = await api("PUT /api/objects/buckets/{name}/uploads/{upload_id}", {
        path: upload,
        query: { number: parts.length + 1 },
        body: file.slice(offset, offset + part_bytes, "application/octet-stream"),
        signal,
      });
      parts.push(part);
      onPart(Math.min(100, ((offset + part_bytes) / file.size) * 100));
    }
    await api("POST /api/objects/buckets/{name}/uploads/{upload_id}/finish", { path: upload, body: { parts }, signal });
  } catch (error) {
    // It is gone already where the server ended it.
    await api("DELETE /api/objects/buckets/{name}/uploads/{upload_id}", { path: upload }).catch(() => "it is gone");
    throw error;
  }
}
