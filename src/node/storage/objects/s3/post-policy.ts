import { isRecord, parseJson } from "../../../../lib/json.ts";
import { S3Problem } from "./problem.ts";

/** What a policy says of the size of the file, in bytes. */
export interface SizeRange {
  least: number;
  most: number;
}

const MOST_CONDITIONS = 200;
/** Fields that no condition has to name. */
const FREE = ["policy", "x-amz-signature", "file", "bucket"];

const refuse = (words: string): S3Problem => new S3Problem("AccessDenied", `Invalid according to Policy: ${words}`);
const malformed = (words: string): S3Problem => new S3Problem("InvalidPolicyDocument", `Invalid Policy: ${words}`);

interface Condition {
  kind: "eq" | "starts-with";
  field: string;
  value: string;
}

function readCondition(given: unknown): Condition[] | SizeRange {
  if (Array.isArray(given) && given.length === 3) {
    const [kind, a, b]: unknown[] = given;
    const name = typeof kind === "string" ? kind.toLowerCase() : "";
    if (name === "content-length-range") {
      const [least, most] = [Number(a), Number(b)];
      if (!Number.isSafeInteger(least) || !Number.isSafeInteger(most) || least < 0 || least > most)
        throw malformed("content-length-range needs two lengths.");
      return { least, most };
    }
    if ((name === "eq" || name === "starts-with") && typeof a === "string" && typeof b === "string" && a[0] === "$")
      return [{ kind: name, field: a.slice(1).toLowerCase(), value: b }];
  }
  if (isRecord(given) && Object.keys(given).length > 0)
    return Object.entries(given).map(([field, value]) => {
      if (typeof value !== "string") throw malformed("the value of a condition must be text.");
      return { kind: "eq", field: field.toLowerCase(), value };
    });
  throw malformed("a condition is none.");
}

/**
 * Checks a form against the policy that its maker signed: each condition holds, and each field has one. `fields` are by small names. Gives
 * what the file may be in size, null where nothing is said. Throws InvalidPolicyDocument, AccessDenied.
 */
export function checkPolicy(text: string, fields: ReadonlyMap<string, string>, now: number): SizeRange | null {
  const policy = parseJson(text);
  if (!isRecord(policy)) throw malformed("it is no JSON object.");
  const { expiration, conditions } = policy;
  const isMoment = typeof expiration === "string" && /^\d{4}-\d{2}-\d{2}T[\d:.]+Z$/.test(expiration);
  const until = isMoment ? Date.parse(expiration) : Number.NaN;
  if (Number.isNaN(until)) throw malformed("expiration must be a moment such as 2026-01-31T12:00:00Z.");
  if (!Array.isArray(conditions) || conditions.length === 0 || conditions.length > MOST_CONDITIONS)
    throw malformed("conditions must be a list.");
  if (now >= until) throw refuse("Policy expired.");
  const named = new Set(FREE);
  let range: SizeRange | null = null;
  for (const condition of conditions.map(readCondition)) {
    if (!Array.isArray(condition)) {
      range = range === null ? condition : narrower(range, condition);
      continue;
    }
    for (const { kind, field, value } of condition) {
      named.add(field);
      const given = fields.get(field) ?? null;
      const holds = given !== null && (kind === "eq" ? given === value : given.startsWith(value));
      if (!holds) throw refuse(`Policy Condition failed: ["${kind}", "$${field}", "${value}"]`);
    }
  }
  const extra = [...fields.keys()].find((name) => !named.has(name) && !name.startsWith("x-ignore-"));
  if (extra !== undefined) throw refuse(`Extra input fields: ${extra}`);
  return range;
}

const narrower = (a: SizeRange, b: SizeRange): SizeRange => ({
  least: Math.max(a.least, b.least),
  most: Math.min(a.most, b.most),
});
