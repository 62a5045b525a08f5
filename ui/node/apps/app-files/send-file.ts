import { api } from "../../client/api.ts";

/** Where a file goes. */
export interface Destination {
  appId: string;
  volume: string;
  /** The folder. */
  path: string;
}

/** Sends a file part by part; `onPart` is told which share of it is there. Throws Problem; half a file is given up. */
export async function sendFile(
  { appId: id, volume, path }: Destination,
  file: File,
  overwrite: boolean,
  signal: AbortSignal,
  onPart: (percent: number) => void,
): Promise<void> {
  const { upload_id, part_bytes } = await api("POST /api/apps/{id}/files/uploads", {
    path: { id },
    body: { volume, path, name: file.name, size_bytes: file.size, overwrite },
    signal,
  });
  const upload = { id, upload_id };
  try {
    let offset = 0;
    while (true) {
      const { received_bytes, is_done } = await api("PUT /api/apps/{id}/files/uploads/{upload_id}", {
        path: upload,
        query: { offset },
        body: file.slice(offset, offset + part_bytes, "application/octet-stream"),
        signal,
      });
      if (is_done) return;
      offset = received_bytes;
      onPart((offset / file.size) * 100);
    }
  } catch (error) {
    // It is gone already where the server ended it.
    await api("DELETE /api/apps/{id}/files/uploads/{upload_id}", { path: upload }).catch(() => "it is gone");
    throw error;
  }
}
