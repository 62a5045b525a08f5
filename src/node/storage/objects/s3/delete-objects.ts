import type { Operation } from "../../object-store/index.ts";
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
import { problemOf, S3Problem, slowDown } from "./problem.ts";
import { readText } from "./read-text.ts";
import { branch, childrenOf, type Element, leaf, parseXml, textOf, xmlDocument } from "./xml.ts";

const MOST = 1_000;
/** What is told of an object besides its name. */
const TOLD_BYTES = 300;

/** An object that is to go: what is to be done, or why that cannot be. Nothing else of the document stays with it. */
interface Removal {
  key: Uint8Array;
  change: Operation | S3Problem;
}

function readOne(object: Element, bucketId: string): Removal {
  const key = new TextEncoder().encode(textOf(object, "Key") ?? "");
  const etag = textOf(object, "ETag");
  try {
    if (!isOnlyVersion(textOf(object, "VersionId"))) throw new S3Problem("NoSuchVersion");
    if (key.length > MAX_KEY_BYTES) throw new S3Problem("KeyTooLongError");
    const of = readRemoval(textOf(object, "LastModifiedTime"), textOf(object, "Size"));
    const when = { ...of, ...(etag === null ? {} : { etag: unquote(etag) }) };
    return { key, change: { kind: "remove", bucketId, key, when } };
  } catch (error) {
    return { key, change: problemOf(error) ?? new S3Problem("InternalError") };
  }
}

/** What a document says is to go, and whether only what stays is to be told. Throws MalformedXML. */
function readRemovals(text: string, bucketId: string): { removals: Removal[]; isQuiet: boolean } {
  const root = parseXml(text);
  const objects = childrenOf(root, "Object");
  if (root.name !== "Delete" || objects.length === 0 || objects.length > MOST) throw new S3Problem("MalformedXML");
  const removals = objects.map((object) => readOne(object, bucketId));
  return { removals, isQuiet: textOf(root, "Quiet")?.trim() === "true" };
}

const leafOf = (key: Uint8Array): string => leaf("Key", Buffer.from(key).toString());

/** The most that the answer may have, known before anything is removed. */
const mostBytes = (removals: readonly Removal[]): number =>
  removals.reduce((sum, { key }) => sum + Buffer.byteLength(leafOf(key)) + TOLD_BYTES, 0);

/** Removes one; why it stays, or null. */
async function removeOne(asked: Asked, change: Removal["change"]): Promise<S3Problem | null> {
  if (change instanceof S3Problem) return change;
  try {
    const outcome = await makeChange(asked, "write", change);
    if (outcome.refused !== "no_object") checkOutcome(outcome);
    return null;
  } catch (error) {
    return problemOf(error) ?? new S3Problem("InternalError");
  }
}

/**
 * Removes up to a thousand objects; each is told of by itself, or only those that stay. While they wait nothing is held but what their changes
 * count and what their answer may have. Throws SlowDown where there was room for none of them.
 */
export async function deleteObjects(asked: Asked): Promise<void> {
  const { id } = needBucket(asked, "write");
  const { removals, isQuiet } = readRemovals(await readText(asked, "write"), id);
  needRoom(asked, mostBytes(removals));
  const tell = async ({ key, change }: Removal): Promise<{ line: string; isLate: boolean }> => {
    const problem = await removeOne(asked, change);
    if (problem === null) return { line: isQuiet ? "" : branch("Deleted", leafOf(key)), isLate: false };
    const { code, message } = problem;
    return {
      line: branch("Error", leafOf(key), leaf("Code", code), leaf("Message", message)),
      isLate: code === "SlowDown",
    };
  };
  const told = await Promise.all(removals.map(tell));
  if (told.every(({ isLate }) => isLate)) throw slowDown();
  answerXml(asked, xmlDocument("DeleteResult", ...told.map(({ line }) => line)));
}
