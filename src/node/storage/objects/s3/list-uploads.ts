import type { UploadRow } from "../../object-store/index.ts";
import { type Asked, answerXml, needBucket, othersFirst, xmlDate } from "./asked.ts";
import { MOST_BYTES, readEncoding, readLimit } from "./list-objects.ts";
import { wantedSumOf, writeWanted } from "./upload-sums.ts";
import { param } from "./wire.ts";
import { branch, leaf, xmlDocument } from "./xml.ts";

/** Uploads that are read and written at one go. */
const STEP = 64;
const encoder = new TextEncoder();

/** Answers ListMultipartUploads: those of a bucket that are neither finished nor given up, one page. */
export async function listUploads(asked: Asked): Promise<void> {
  const { world, wire } = asked;
  const bucket = needBucket(asked, "read");
  const write = readEncoding(asked);
  const limit = readLimit(asked, "max-uploads");
  const prefix = encoder.encode(param(wire, "prefix") ?? "");
  const marker = encoder.encode(param(wire, "key-marker") ?? "");
  // Without an id, everything under the key of the marker has been seen.
  const id = param(wire, "upload-id-marker") ?? (marker.length === 0 ? "" : "\uffff");
  const step = Math.min(STEP, limit + 1);
  const lines: string[] = [];
  let last: UploadRow | null = null;
  let isTruncated = false;
  for (let bytes = 0, after = { key: marker, id }; ; ) {
    const rows = world.objectStore.listUploads(bucket.id, { ...after, prefix, limit: step });
    for (const row of rows) {
      const line = branch(
        "Upload",
        leaf("Key", write(row.key)),
        leaf("UploadId", row.id),
        leaf("Initiated", xmlDate(row.started_at)),
        leaf("StorageClass", "STANDARD"),
        writeWanted(wantedSumOf(row.facts)),
      );
      bytes += Buffer.byteLength(line);
      isTruncated = lines.length === limit || bytes > MOST_BYTES;
      if (isTruncated) break;
      lines.push(line);
      last = row;
    }
    if (isTruncated || last === null || rows.length < step) break;
    after = { key: new Uint8Array(last.key), id: last.id };
    await othersFirst(asked);
  }
  const next = last === null ? [] : [leaf("NextKeyMarker", write(last.key)), leaf("NextUploadIdMarker", last.id)];
  const head = [
    leaf("Bucket", bucket.name),
    leaf("KeyMarker", write(marker)),
    leaf("UploadIdMarker", param(wire, "upload-id-marker") ?? ""),
  ];
  const rest = [leaf("Prefix", write(prefix)), leaf("MaxUploads", limit), leaf("IsTruncated", isTruncated)];
  answerXml(asked, xmlDocument("ListMultipartUploadsResult", ...head, ...next, ...rest, ...lines));
}
