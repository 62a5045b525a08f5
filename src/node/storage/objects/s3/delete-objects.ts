import { MAX_KEY_BYTES } from "../contract.ts";
import {
  type Asked,
  answerXml,
  checkOutcome,
  isOnlyVersion,
  makeChange,
  needBucket,
  needRoom,
  readRemoval,
  unquote,
} from "./asked.ts";
import { S3Problem } from "./problem.ts";
import { readText } from "./read-text.ts";
import { branch, childrenOf, escapeXml, leaf, parseXml, textOf, xmlDocument } from "./xml.ts";

const MOST = 1_000;
/** What is told of an object besides its name. */
const TOLD_BYTES = 300;

/** The most that the answer may have, known before anything is removed. */
const mostBytes = (keys: readonly { key: string | null }[]): number =>
  keys.reduce((sum, { key }) => sum + Buffer.byteLength(escapeXml(key ?? "")) + TOLD_BYTES, 0);

/** Removes up to a thousand objects; each is told of by itself, or only those that stay. */
export async function deleteObjects(asked: Asked): Promise<void> {
  const bucket = needBucket(asked, "write");
  const root = parseXml(await readText(asked, "write"));
  const keys = childrenOf(root, "Object").map((object) => ({
    key: textOf(object, "Key"),
    version: textOf(object, "VersionId"),
    etag: textOf(object, "ETag"),
    modified: textOf(object, "LastModifiedTime"),
    size: textOf(object, "Size"),
  }));
  const isQuiet = textOf(root, "Quiet")?.trim() === "true";
  if (root.name !== "Delete" || keys.length === 0 || keys.length > MOST) throw new S3Problem("MalformedXML");
  needRoom(asked, mostBytes(keys));
  const removeOne = async ({ key, version, etag, modified, size }: (typeof keys)[number]): Promise<string> => {
    const bytes = new TextEncoder().encode(key ?? "");
    try {
      if (!isOnlyVersion(version)) throw new S3Problem("NoSuchVersion");
      if (bytes.length > MAX_KEY_BYTES) throw new S3Problem("KeyTooLongError");
      const when = { ...readRemoval(modified, size), ...(etag === null ? {} : { etag: unquote(etag) }) };
      const outcome = await makeChange(asked, "write", { kind: "remove", bucketId: bucket.id, key: bytes, when });
      if (outcome.refused !== "no_object") checkOutcome(outcome);
      return isQuiet ? "" : branch("Deleted", leaf("Key", key ?? ""));
    } catch (error) {
      const { code, message } = error instanceof S3Problem ? error : new S3Problem("InternalError");
      return branch("Error", leaf("Key", key ?? ""), leaf("Code", code), leaf("Message", message));
    }
  };
  const lines = await Promise.all(keys.map(removeOne));
  answerXml(asked, xmlDocument("DeleteResult", ...lines));
}
