import type { DriveNode } from "../../../../src/node/storage/drive/contract.ts";
import { fetchTelling } from "../../../client/fetch-telling.ts";
import { untilTaken } from "../../../client/until-taken.ts";
import { api } from "../../client/api.ts";

/** What the server takes in one request; larger files go in chunks. */
const REQUEST_BYTES = 6 * 1024 * 1024;
/** The SHA-256 of a piece in hex; browsers compute it only for pages that came over HTTPS. */
async function sumOf(piece: Blob): Promise<string | null> {
  if (crypto.subtle === undefined) return null;
  const sum = new Uint8Array(await crypto.subtle.digest("SHA-256", await piece.arrayBuffer()));
  return [...sum].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** A file on its way, and whoever follows it. */
interface Sending {
  file: File;
  /** Null for the top. */
  folder: string | null;
  /** A file of that name gets this content, and keeps what it held as a version. */
  replaces: boolean;
  signal: AbortSignal;
  /** Told what is there of it, in bytes. */
  onProgress: (bytes: number) => void;
  /** Told the id under which it can be given up or gone on with. */
  onBegun: (uploadId: string) => void;
}

async function sendInChunks({ file, folder, replaces, signal, onProgress, onBegun }: Sending): Promise<DriveNode> {
  const mark = String(file.lastModified);
  const body = { name: file.name, folder_id: folder, size_bytes: file.size, mark, replace: replaces };
  const upload = await untilTaken(() => api("POST /api/drive/upload/init", { body, signal }), signal);
  const { chunk_bytes } = upload;
  const path = { upload_id: upload.upload_id };
  onBegun(upload.upload_id);
  const there = new Map(upload.received.map(({ number, sha256 }) => [number, sha256]));
  let sent = upload.received_bytes;
  onProgress(sent);
  const isWhole = upload.received_bytes === file.size && there.size === 0;
  for (let number = 1; number <= upload.chunks && !isWhole; number += 1) {
    const piece = file.slice((number - 1) * chunk_bytes, number * chunk_bytes, "application/octet-stream");
    const sum = await sumOf(piece);
    const before = there.get(number);
    // What is there is of this file, as far as it can be told.
    if (before !== undefined && (sum === null || sum === before)) continue;
    const query = { number, ...(sum === null ? {} : { sha256: sum }) };
    const base = before === undefined ? sent : sent - piece.size;
    const fetch = fetchTelling((share) => onProgress(base + share * piece.size));
    await untilTaken(
      () => api("PUT /api/drive/upload/{upload_id}", { path, query, body: piece, signal, fetch }),
      signal,
    );
    sent = base + piece.size;
    onProgress(sent);
  }
  const query = { replace: replaces };
  return await untilTaken(() => api("POST /api/drive/upload/{upload_id}/finish", { path, query, signal }), signal);
}

/** Sends a file into a folder, a large one in chunks that are not sent again. Throws Problem. */
export async function sendFile(sending: Sending): Promise<DriveNode> {
  const { file, folder, replaces, signal, onProgress } = sending;
  if (file.size > REQUEST_BYTES) return await sendInChunks(sending);
  const body = new FormData();
  // By its name alone: browsers would send the path of a file of a chosen folder.
  body.set("file", file, file.name);
  const query = { replace: replaces, ...(folder === null ? {} : { folder_id: folder }) };
  const fetch = fetchTelling((share) => onProgress(share * file.size));
  return await untilTaken(() => api("POST /api/drive/upload", { query, body, signal, fetch }), signal);
}
