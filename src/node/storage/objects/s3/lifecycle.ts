import type { ObjectRow } from "../../object-store/index.ts";
import { readFacts } from "../facts.ts";
import { endOf, type LifecycleRule, readLifecycle } from "../lifecycle/rules.ts";
import { type Asked, answerXml, needBucket, needSigned, type World } from "./asked.ts";
import { saveSettings } from "./bucket-requests.ts";
import { S3Problem } from "./problem.ts";
import { readText } from "./read-text.ts";
import { branch, childrenOf, type Element, leaf, parseXml, textOf, xmlDocument } from "./xml.ts";

const MOST_RULES = 1_000;
const MOST_DAYS = 36_500;
const MOST_TAGS = 10;
/** What a document can be: each read of an object looks at all of its rules. */
const MOST_BYTES = 512 * 1024;

const childOf = (element: Element | undefined, name: string): Element | undefined =>
  element === undefined ? undefined : childrenOf(element, name)[0];

function readCount(text: string | null, least: number, most: number): number | null {
  if (text === null) return null;
  if (!/^\s*\d{1,15}\s*$/.test(text)) throw new S3Problem("MalformedXML");
  const count = Number(text);
  if (count < least || count > most)
    throw new S3Problem("InvalidArgument", `A number of a rule must be ${least} to ${most}.`);
  return count;
}

/** Midnight in UTC, as S3 wants it. */
function readDate(text: string | null): number | null {
  if (text === null) return null;
  const at = /^\s*\d{4}-\d{2}-\d{2}(T[\d:.]+Z)?\s*$/.test(text) ? Date.parse(text.trim()) : Number.NaN;
  if (Number.isNaN(at)) throw new S3Problem("MalformedXML");
  if (at % 86_400_000 !== 0) throw new S3Problem("InvalidArgument", "'Date' must be at midnight GMT.");
  return at;
}

function readTag(tag: Element): readonly [string, string] {
  const name = textOf(tag, "Key");
  const value = textOf(tag, "Value");
  if (name === null || value === null || name === "") throw new S3Problem("MalformedXML");
  if (name.length > 128 || value.length > 256)
    throw new S3Problem("InvalidTag", "The name of a tag has 1 to 128 letters, its value up to 256.");
  return [name, value];
}

/** Which objects a rule means: in `Filter`, in `And` below it, or the way of old in `Prefix`. */
function readFilter(rule: Element): Pick<LifecycleRule, "prefix" | "tags" | "largerThan" | "smallerThan"> {
  const filter = childOf(rule, "Filter");
  const from = childOf(filter, "And") ?? filter ?? rule;
  const tags = filter === undefined ? [] : childrenOf(from, "Tag").map(readTag);
  if (tags.length > MOST_TAGS || new Set(tags.map(([name]) => name)).size < tags.length)
    throw new S3Problem("InvalidRequest", "A rule can name 10 tags, each once.");
  const prefix = textOf(from, "Prefix") ?? "";
  if (Buffer.byteLength(prefix) > 1_024) throw new S3Problem("InvalidRequest", "A prefix can have 1,024 bytes.");
  const most = Number.MAX_SAFE_INTEGER;
  return {
    prefix,
    tags: Object.fromEntries(tags),
    largerThan: readCount(textOf(from, "ObjectSizeGreaterThan"), 0, most),
    smallerThan: readCount(textOf(from, "ObjectSizeLessThan"), 1, most),
  };
}

const UNKNOWN = ["Transition", "NoncurrentVersionTransition", "NoncurrentVersionExpiration"];

function readRule(rule: Element, number: number): LifecycleRule {
  const unknown = UNKNOWN.find((name) => childOf(rule, name) !== undefined);
  if (unknown !== undefined)
    throw new S3Problem("NotImplemented", `${unknown}: there is one kind of storage and no versions.`);
  const id = textOf(rule, "ID") ?? `rule-${number}`;
  const status = textOf(rule, "Status")?.trim();
  const ending = childOf(rule, "Expiration");
  const uploads = childOf(rule, "AbortIncompleteMultipartUpload");
  if (id.length > 255) throw new S3Problem("InvalidArgument", "ID length should not exceed allowed limit of 255.");
  if (status !== "Enabled" && status !== "Disabled") throw new S3Problem("MalformedXML");
  if (ending === undefined && uploads === undefined)
    throw new S3Problem("InvalidRequest", "At least one action needs to be specified in a rule.");
  const afterDays = ending === undefined ? null : readCount(textOf(ending, "Days"), 1, MOST_DAYS);
  const onDate = ending === undefined ? null : readDate(textOf(ending, "Date"));
  if (ending !== undefined && (afterDays === null) === (onDate === null)) {
    if (textOf(ending, "ExpiredObjectDeleteMarker") !== null)
      throw new S3Problem("NotImplemented", "There are no versions, and so no delete markers.");
    throw new S3Problem("MalformedXML");
  }
  const uploadDays = uploads === undefined ? null : readCount(textOf(uploads, "DaysAfterInitiation"), 1, MOST_DAYS);
  if (uploads !== undefined && uploadDays === null) throw new S3Problem("MalformedXML");
  const filter = readFilter(rule);
  if (uploadDays !== null && Object.keys(filter.tags).length > 0)
    throw new S3Problem("InvalidRequest", "AbortIncompleteMultipartUpload cannot be specified with tags.");
  return { id, enabled: status === "Enabled", ...filter, afterDays, onDate, uploadDays };
}

/** The rules of a document. Throws what is wrong with it. */
function readRules(text: string): LifecycleRule[] {
  const root = parseXml(text);
  const elements = childrenOf(root, "Rule");
  if (root.name !== "LifecycleConfiguration" || elements.length === 0 || elements.length > MOST_RULES)
    throw new S3Problem("MalformedXML");
  const rules = elements.map((element, index) => readRule(element, index + 1));
  if (new Set(rules.map(({ id }) => id)).size < rules.length)
    throw new S3Problem("InvalidArgument", "Rule ID must be unique. Found same ID for more than one rule.");
  return rules;
}

/** The rules of a document as a bucket keeps them; null for a document with others than there are here. */
export function parseRules(text: string): string | null {
  try {
    return JSON.stringify(readRules(text));
  } catch (error) {
    if (error instanceof S3Problem) return null;
    throw error;
  }
}

/** Keeps the rules by which objects of a bucket end. */
export async function putLifecycle(asked: Asked): Promise<void> {
  needBucket(asked, "owner");
  const rules = readRules(await readText(asked, "owner", MOST_BYTES));
  await saveSettings(asked, { lifecycle: JSON.stringify(rules) });
}

function writeFilter({ prefix, tags, largerThan, smallerThan }: LifecycleRule): string {
  const parts = [
    ...(prefix === "" ? [] : [leaf("Prefix", prefix)]),
    ...Object.entries(tags).map(([name, value]) => branch("Tag", leaf("Key", name), leaf("Value", value))),
    ...(largerThan === null ? [] : [leaf("ObjectSizeGreaterThan", largerThan)]),
    ...(smallerThan === null ? [] : [leaf("ObjectSizeLessThan", smallerThan)]),
  ];
  if (parts.length === 0) return branch("Filter", leaf("Prefix", ""));
  return branch("Filter", parts.length === 1 ? (parts[0] ?? "") : branch("And", ...parts));
}

/** Rules as a document of S3. */
export function writeRules(rules: readonly LifecycleRule[]): string {
  const lines = rules.map((rule) => {
    const { id, enabled, afterDays, onDate, uploadDays } = rule;
    const date = onDate === null ? "" : leaf("Date", new Date(onDate).toISOString());
    const ending = afterDays === null ? date : leaf("Days", afterDays);
    return branch(
      "Rule",
      leaf("ID", id),
      writeFilter(rule),
      leaf("Status", enabled ? "Enabled" : "Disabled"),
      ending === "" ? "" : branch("Expiration", ending),
      uploadDays === null ? "" : branch("AbortIncompleteMultipartUpload", leaf("DaysAfterInitiation", uploadDays)),
    );
  });
  return xmlDocument("LifecycleConfiguration", ...lines);
}

/** The rules as they were given. */
export function getLifecycle(asked: Asked): void {
  needSigned(asked);
  const rules = readLifecycle(needBucket(asked, "owner").lifecycle);
  if (rules.length === 0) throw new S3Problem("NoSuchLifecycleConfiguration");
  answerXml(asked, writeRules(rules));
}

/** The header that says when an object ends by itself; nothing where it does not. */
export function expiryHeader(
  world: Pick<World, "readLifecycle">,
  lifecycle: string | null,
  object: Omit<ObjectRow, "blobs" | "etag">,
): Record<string, string> {
  if (lifecycle === null) return {};
  const end = endOf(world.readLifecycle(lifecycle), { ...object, tags: readFacts(object.facts).tags });
  if (end === null) return {};
  return {
    "x-amz-expiration": `expiry-date="${new Date(end.at).toUTCString()}", rule-id="${encodeURIComponent(end.rule.id)}"`,
  };
}
