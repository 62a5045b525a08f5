import { readFacts } from "../facts.ts";
import {
  type Asked,
  answerEmpty,
  answerXml,
  checkOutcome,
  makeChange,
  needBucket,
  needKey,
  needSigned,
} from "./asked.ts";
import { needAny, saveSettings } from "./bucket-requests.ts";
import { S3Problem } from "./problem.ts";
import { readText, SMALL_TEXT_BYTES } from "./read-text.ts";
import { branch, childrenOf, leaf, parseXml, textOf, xmlDocument } from "./xml.ts";

/** The object that is asked for, if the caller may do that with it. */
export function needObject(asked: Asked, right: "read" | "write") {
  const bucket = needBucket(asked, right);
  const object = asked.world.objectStore.findObject(bucket.id, needKey(asked));
  if (object === null) throw new S3Problem("NoSuchKey");
  return { bucket, object };
}

/** Tags by their names, which S3 counts in UTF-16. */
type Tags = Record<string, string>;

const OF_OBJECT = 10;
const OF_BUCKET = 50;
const LETTERS = /^[\p{L}\p{Z}\p{N}_.:/=+\-@]*$/u;

function answerTags(asked: Asked, tags: Tags): void {
  const lines = Object.entries(tags).map(([name, value]) => branch("Tag", leaf("Key", name), leaf("Value", value)));
  answerXml(asked, xmlDocument("Tagging", branch("TagSet", ...lines)));
}

function checkTags(tags: readonly (readonly [string, string])[], most: number): Tags {
  const wrong = (reason: string) => new S3Problem("InvalidTag", reason);
  if (tags.length > most) throw wrong(`There can be ${most} tags.`);
  for (const [name, value] of tags) {
    if (name === "" || name.length > 128 || value.length > 256)
      throw wrong("The name of a tag has 1 to 128 letters, its value up to 256.");
    if (!LETTERS.test(name) || !LETTERS.test(value))
      throw wrong("Tags have letters, digits, spaces and _ . : / = + - @ in them.");
    if (/^aws:/i.test(name)) throw wrong("Names of tags that begin with aws: are reserved.");
  }
  if (new Set(tags.map(([name]) => name)).size < tags.length) throw wrong("Two tags have the same name.");
  return Object.fromEntries(tags);
}

function parseTags(text: string, most: number): Tags {
  const root = parseXml(text);
  const set = childrenOf(root, "TagSet")[0];
  if (root.name !== "Tagging" || set === undefined) throw new S3Problem("MalformedXML");
  const tags = childrenOf(set, "Tag").map((tag) => [textOf(tag, "Key") ?? "", textOf(tag, "Value") ?? ""] as const);
  return checkTags(tags, most);
}

/** Tags of an object as XML. Throws MalformedXML, InvalidTag. */
export const readTags = (text: string): Tags => parseTags(text, OF_OBJECT);

/** The same as they stand in a header. Throws InvalidTag. */
export const readTagHeader = (text: string): Tags => checkTags([...new URLSearchParams(text)], OF_OBJECT);

/** The tags of an object. */
export function getTags(asked: Asked): void {
  needSigned(asked);
  answerTags(asked, readFacts(needObject(asked, "read").object.facts).tags);
}

/** Replaces the tags of an object; with `isGone` it has none. */
export async function saveTags(asked: Asked, isGone: boolean): Promise<void> {
  needSigned(asked);
  needObject(asked, "write");
  const tags = isGone ? {} : readTags(await readText(asked, "write", SMALL_TEXT_BYTES));
  // The row of one that came in parts is large: nobody holds it who waits.
  const { bucket, object } = needObject(asked, "write");
  const facts = JSON.stringify({ ...readFacts(object.facts), tags });
  const { key, etag } = object;
  checkOutcome(await makeChange(asked, "write", { kind: "setFacts", bucketId: bucket.id, key, etag, facts }));
  answerEmpty(asked, isGone ? 204 : 200);
}

/** The tags of a bucket, by which programs know what is theirs. Whoever may do anything with it may read them. */
export function getBucketTags(asked: Asked): void {
  const { tags } = needAny(asked);
  if (tags === null) throw new S3Problem("NoSuchTagSet");
  answerTags(asked, JSON.parse(tags));
}

/** Replaces the tags of a bucket. */
export async function putBucketTags(asked: Asked): Promise<void> {
  needBucket(asked, "owner");
  const tags = parseTags(await readText(asked, "owner", SMALL_TEXT_BYTES), OF_BUCKET);
  await saveSettings(asked, { tags: JSON.stringify(tags) });
}
