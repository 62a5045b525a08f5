import { readFacts } from "../facts.ts";
import { type Asked, answerEmpty, answerXml, checkOutcome, needBucket, needKey, needSigned } from "./asked.ts";
import { readText } from "./body.ts";
import { S3Problem } from "./problem.ts";
import { branch, childrenOf, leaf, parseXml, textOf, xmlDocument } from "./xml.ts";

/** The object that is asked for, if the caller may do that with it. */
export function needObject(asked: Asked, right: "read" | "write") {
  const bucket = needBucket(asked, right);
  const object = asked.world.objectStore.findObject(bucket.id, needKey(asked));
  if (object === null) throw new S3Problem("NoSuchKey");
  return { bucket, object };
}

/** The tags of an object. */
export function getTags(asked: Asked): void {
  needSigned(asked);
  const { tags } = readFacts(needObject(asked, "read").object.facts);
  const lines = Object.entries(tags).map(([name, value]) => branch("Tag", leaf("Key", name), leaf("Value", value)));
  answerXml(asked, xmlDocument("Tagging", branch("TagSet", ...lines)));
}

/** Tags as XML. Throws MalformedXML, InvalidArgument. */
export function readTags(text: string): Record<string, string> {
  const root = parseXml(text);
  const set = childrenOf(root, "TagSet")[0];
  if (root.name !== "Tagging" || set === undefined) throw new S3Problem("MalformedXML");
  const tags = childrenOf(set, "Tag").map((tag) => [textOf(tag, "Key") ?? "", textOf(tag, "Value") ?? ""] as const);
  const isTooLong = tags.some(([name, value]) => name === "" || name.length > 128 || value.length > 256);
  if (isTooLong || tags.length > 10 || new Set(tags.map(([name]) => name)).size < tags.length)
    throw new S3Problem(
      "InvalidArgument",
      "An object can have 10 tags of different names, with up to 128 and 256 letters.",
    );
  return Object.fromEntries(tags);
}

/** Replaces the tags of an object; with `isGone` it has none. */
export async function saveTags(asked: Asked, isGone: boolean): Promise<void> {
  const signed = needSigned(asked);
  const { bucket, object } = needObject(asked, "write");
  const tags = isGone ? {} : readTags(await readText(asked.wire, asked.request, signed));
  const facts = JSON.stringify({ ...readFacts(object.facts), tags });
  const { key, etag } = object;
  checkOutcome(await asked.world.objectStore.change({ kind: "setFacts", bucketId: bucket.id, key, etag, facts }));
  answerEmpty(asked, isGone ? 204 : 200);
}
