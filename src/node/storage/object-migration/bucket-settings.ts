import { isRecord, parseJson } from "../../../lib/json.ts";
import type { BucketSettings } from "../object-store/index.ts";
import { childrenOf, parseLifecycle, parseXml, textOf } from "../objects/index.ts";
import type { Legacy } from "./legacy-client.ts";

/** What a bucket is to do here, and what of it has to stay behind, in words; null where nothing does. */
export interface FoundSettings {
  set: BucketSettings;
  note: string | null;
}

const listed = (value: unknown): unknown[] => (Array.isArray(value) ? value : [value]);
const READS = ["s3:GetObject", "s3:*", "*"];
/** What a public bucket of MinIO allows besides, and what a public bucket here does not: lists are for keys. */
const LISTS = ["s3:GetBucketLocation", "s3:ListBucket", "s3:ListBucketMultipartUploads"];

/** Whether a line of a policy lets everybody read all objects of the bucket, and nothing but read. */
function isPublicRead(statement: unknown, bucket: string): boolean {
  if (!isRecord(statement) || statement["Effect"] !== "Allow" || statement["Condition"] !== undefined) return false;
  const principal = isRecord(statement["Principal"]) ? statement["Principal"]["AWS"] : statement["Principal"];
  return (
    listed(principal).includes("*") &&
    listed(statement["Action"]).every((action) => typeof action === "string" && READS.includes(action)) &&
    listed(statement["Resource"]).includes(`arn:aws:s3:::${bucket}/*`)
  );
}

function isList(statement: unknown): boolean {
  return (
    isRecord(statement) &&
    listed(statement["Action"]).every((action) => typeof action === "string" && LISTS.includes(action))
  );
}

function readPolicy(text: string | null, bucket: string): { isPublic: boolean; isWhole: boolean } {
  const given = text === null ? null : parseJson(text);
  const statements = isRecord(given) ? listed(given["Statement"]) : [];
  const isPublic = statements.some((statement) => isPublicRead(statement, bucket));
  return {
    isPublic,
    isWhole: statements.every((statement) => isPublicRead(statement, bucket) || isList(statement)),
  };
}

/** What the previous store says that a bucket does. */
export async function findSettings(legacy: Legacy, bucket: string): Promise<FoundSettings> {
  const notes: string[] = [];
  const { isPublic, isWhole } = readPolicy(await legacy.about(bucket, "policy"), bucket);
  if (!isWhole) notes.push("Its policy says more than that everybody may read: give keys what they need.");
  const rules = await legacy.about(bucket, "lifecycle");
  const lifecycle = rules === null ? null : await parseLifecycle(rules);
  if (rules !== null && lifecycle === null)
    notes.push("Its lifecycle has rules that are not known here: make them anew.");
  const versions = await legacy.about(bucket, "versioning");
  if (versions !== null && versionsOf(versions) !== null)
    notes.push("It keeps versions: the newest of each object comes along.");
  const tags = await legacy.tagsOfBucket(bucket);
  const set = {
    ...(isPublic ? { visibility: "public" } : {}),
    ...(lifecycle === null ? {} : { lifecycle }),
    ...(tags === null ? {} : { tags: JSON.stringify(tags) }),
  };
  return { set, note: notes.length === 0 ? null : notes.join(" ") };
}

/** What it says of versions; something that cannot be read may mean some. */
function versionsOf(text: string): string | null {
  try {
    const root = parseXml(text);
    return childrenOf(root, "Status").length === 0 ? null : textOf(root, "Status");
  } catch {
    return "";
  }
}
