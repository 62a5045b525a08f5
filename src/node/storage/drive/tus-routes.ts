import { Value } from "@sinclair/typebox/value";
import { requireStillAllowed } from "../../../kernel/http/access.ts";
import type { Take } from "../../../kernel/http/body-budget.ts";
import { kernelFail } from "../../../kernel/http/errors.ts";
import { beginUpload, ownerOf } from "./chunked-upload.ts";
import { fail, MAX_FILE_BYTES, UploadInput } from "./contract.ts";
import type { Own } from "./logic.ts";
import type { By } from "./needs.ts";
import { appendTo, type SaidSum, SUMS, settle, type TusState } from "./tus-upload.ts";

const VERSION = "1.0.0";

/** What this server can of the protocol. */
export const TUS_ABILITIES = {
  "tus-resumable": VERSION,
  "tus-version": VERSION,
  "tus-extension": "creation,termination,checksum,expiration",
  "tus-checksum-algorithm": SUMS.join(","),
  "tus-max-size": String(MAX_FILE_BYTES),
};

/** Whether a request is one of tus, the protocol of resumable uploads. Throws `drive_tus_version` for another version of it. */
export function isTus(headers: Headers): boolean {
  const version = headers.get("tus-resumable");
  if (version === null) return false;
  if (version !== VERSION) throw fail("drive_tus_version", { version: VERSION }, { "tus-version": VERSION });
  return true;
}

const headersOf = ({ offset, expires_at }: TusState): Record<string, string> => ({
  "tus-resumable": VERSION,
  "upload-offset": String(offset),
  "upload-expires": new Date(expires_at).toUTCString(),
  "cache-control": "no-store",
});

const invalid = (field: string, reason: string) => kernelFail("invalid_request", { field, reason });

function numberIn(headers: Headers, name: string): number {
  const text = headers.get(name) ?? "";
  if (!/^\d{1,15}$/.test(text)) throw invalid(name, "must be a whole number");
  return Number(text);
}

/** What is said of a file: words with values in Base64, with commas between. */
function metadataOf(headers: Headers): Map<string, string> {
  const pairs = (headers.get("upload-metadata") ?? "").split(",").map((pair) => pair.trim().split(" "));
  return new Map(pairs.map(([key = "", value = ""]) => [key, Buffer.from(value, "base64").toString()]));
}

function sumIn(headers: Headers): SaidSum | null {
  const text = headers.get("upload-checksum");
  if (text === null) return null;
  const [name, value = ""] = text.split(" ");
  const algorithm = SUMS.find((one) => one === name);
  if (algorithm === undefined) throw invalid("upload-checksum", `must be one of ${SUMS.join(", ")}`);
  return { algorithm, value };
}

/** Begins an upload by tus; its name is `filename` in the metadata, its folder `folder_id`. Throws what `beginUpload` throws. */
export async function createByTus(
  own: Own,
  by: By,
  headers: Headers,
  query: { folder_id?: string; replace?: boolean },
): Promise<Response> {
  const metadata = metadataOf(headers);
  const size_bytes = numberIn(headers, "upload-length");
  if (size_bytes > MAX_FILE_BYTES) throw kernelFail("payload_too_large", { limit_bytes: MAX_FILE_BYTES });
  const input = {
    name: metadata.get("filename") ?? metadata.get("name") ?? "",
    folder_id: query.folder_id ?? metadata.get("folder_id") ?? null,
    size_bytes,
    // Each is one of its own: whoever goes on has its address.
    mark: own.ids.next("tus"),
    replace: query.replace ?? metadata.get("replace") === "true",
  };
  if (!Value.Check(UploadInput, input)) throw invalid("filename", "must be one line of at most 255 characters");
  const { upload_id } = await beginUpload(own, ownerOf(by.user_id), input);
  const state = await settle(own, by, upload_id);
  const location = `/api/drive/upload/${upload_id}`;
  return new Response(null, { status: 201, headers: { ...headersOf(state), location } });
}

/** Where an upload ends, for whoever goes on with it. Throws `drive_upload_not_found`, and what making the file throws. */
export async function readByTus(own: Own, by: By, id: string): Promise<Response> {
  const state = await settle(own, by, id);
  const length = { "upload-length": String(state.size_bytes) };
  return new Response(null, { headers: { ...headersOf(state), ...length } });
}

/** Adds the bytes of a request to an upload. Throws what `appendTo` throws. */
export async function appendByTus(own: Own, by: By, id: string, request: Request, take: Take): Promise<Response> {
  if (!isTus(request.headers)) throw fail("drive_tus_version", { version: VERSION }, { "tus-version": VERSION });
  if (request.headers.get("content-type") !== "application/offset+octet-stream") throw fail("drive_tus_media");
  const where = { offset: numberIn(request.headers, "upload-offset"), said: sumIn(request.headers) };
  const isAllowed = () => requireStillAllowed(request);
  const state = await appendTo(own, by, id, where, request.body ?? [], take, isAllowed);
  return new Response(null, { status: 204, headers: headersOf(state) });
}
