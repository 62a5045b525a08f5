import { isRecord } from "../../../lib/json.ts";
import { invalid } from "./contract.ts";
import { costOf, equals, type Filter, matches, parseFilter, pathOf } from "./filter.ts";

/** Most operations of one request, and most comparisons that they may take together: the panel does nothing else meanwhile. */
const OPERATIONS_MAX = 1000;
const COMPARISONS_MAX = 500_000;
/** Looking for one id is so much quicker than a filter. */
const BY_ID_GAIN = 50;
/** More than directories have in all their schemas. */
const ATTRIBUTES_MAX = 100;

/** What a request may still make the panel compare. */
interface Budget {
  left: number;
}

/** Throws `scim_invalid` when a request makes the panel compare more than it may. */
function spend(budget: Budget, comparisons: number): void {
  budget.left -= comparisons;
  if (budget.left < 0) throw invalid("These operations compare so much that they have to be sent in parts.", "tooMany");
}

type Resource = Record<string, unknown>;
type Op = "add" | "replace" | "remove";

const badPath = (path: string) => invalid(`There is nothing at ${path.slice(0, 100)}.`, "invalidPath");

/** The name that a resource has for an attribute, whatever case it is written in. Throws `scim_invalid` where it has too many to look through. */
function keyOf(resource: Resource, name: string): string {
  const keys = Object.keys(resource);
  if (keys.length > ATTRIBUTES_MAX) throw invalid(`Nothing has more than ${ATTRIBUTES_MAX} attributes.`, "tooMany");
  const wanted = name.toLowerCase();
  return keys.find((key) => key.toLowerCase() === wanted) ?? name;
}

/**
 * A resource after the operations of RFC 7644 §3.5.2; the one that is given stays as it was. Directories need it to be lenient: `op` in
 * whatever case, values that hold paths, one value for a list. Throws `scim_invalid`.
 */
export function patched(resource: Resource, body: unknown): Resource {
  const operations = isRecord(body) ? body[keyOf(body, "Operations")] : undefined;
  if (!Array.isArray(operations)) throw invalid("The body needs a list of Operations.", "invalidSyntax");
  if (operations.length > OPERATIONS_MAX)
    throw invalid(`One request has ${OPERATIONS_MAX} operations at most.`, "tooMany");
  const result = structuredClone(resource);
  const budget: Budget = { left: COMPARISONS_MAX };
  for (const operation of operations) apply(result, operation, budget);
  return result;
}

function apply(resource: Resource, operation: unknown, budget: Budget): void {
  if (!isRecord(operation)) throw invalid("An operation has to be an object.", "invalidSyntax");
  const op = String(operation["op"]).toLowerCase();
  const { path, value } = operation;
  if (op !== "add" && op !== "replace" && op !== "remove")
    throw invalid("op has to be add, replace or remove.", "invalidSyntax");
  if (path === undefined || path === null || path === "") {
    if (op === "remove") throw invalid("What is removed needs a path.", "noTarget");
    if (!isRecord(value)) throw invalid("Without a path the value has to be an object.", "invalidSyntax");
    for (const [name, part] of Object.entries(value)) applyAt(resource, op, name, part, budget);
    return;
  }
  if (typeof path !== "string") throw invalid("path has to be a text.", "invalidPath");
  applyAt(resource, op, path, value, budget);
}

const PATH = /^((?:urn:[^[]*:)?[A-Za-z$][\w.$-]*)(?:\[(.+)\])?(?:\.([A-Za-z$][\w$-]*))?$/;

function applyAt(resource: Resource, op: Op, path: string, value: unknown, budget: Budget): void {
  // A whole extension of the schema holds nothing that is kept here.
  if (/^urn:.*:2\.0:(?:User|Group)$/i.test(path)) return;
  const [, name = "", condition, part] = PATH.exec(path) ?? [];
  if (name === "") throw badPath(path);
  const [first = "", ...rest] = pathOf(name);
  if (first === "__proto__") throw badPath(path);
  const key = keyOf(resource, first);
  const inner = part ?? rest[0];
  if (condition !== undefined) applyToSome(resource, op, key, parseFilter(condition), inner, value, budget);
  else if (inner === undefined) applyToAll(resource, op, key, value, budget);
  else applyToPart(resource, op, key, inner, value, budget);
}

function applyToPart(resource: Resource, op: Op, key: string, inner: string, value: unknown, budget: Budget): void {
  const whole = resource[key];
  if (Array.isArray(whole)) {
    spend(budget, whole.length);
    for (const one of whole.filter(isRecord)) setPart(one, op, inner, value);
    return;
  }
  const target: Resource = isRecord(whole) ? whole : {};
  setPart(target, op, inner, value);
  resource[key] = target;
}

function setPart(target: Resource, op: Op, name: string, value: unknown): void {
  const key = keyOf(target, name);
  if (key === "__proto__") throw badPath(name);
  if (op === "remove") delete target[key];
  else target[key] = value;
}

function applyToAll(resource: Resource, op: Op, key: string, value: unknown, budget: Budget): void {
  const before = resource[key];
  // What is there is looked through, or written again.
  if (Array.isArray(before)) spend(budget, op === "remove" ? before.length / BY_ID_GAIN : 0);
  else if (isRecord(before)) spend(budget, Object.keys(before).length);
  if (op === "remove") {
    // Some name the members that go in the value instead of the path.
    if (Array.isArray(before) && Array.isArray(value) && value.length > 0) {
      const gone = new Set(value.map(idOf));
      resource[key] = before.filter((one) => !gone.has(idOf(one)));
    } else delete resource[key];
    return;
  }
  if (Array.isArray(before)) {
    const more = Array.isArray(value) ? value : [value];
    if (op === "replace") resource[key] = more;
    // Into the list itself: a copy for each of a thousand operations would hold up the panel.
    else for (const one of more) before.push(one);
    return;
  }
  resource[key] = op === "add" && isRecord(before) && isRecord(value) ? { ...before, ...value } : value;
}

const idOf = (one: unknown): unknown => (isRecord(one) ? one["value"] : one);

function applyToSome(
  resource: Resource,
  op: Op,
  key: string,
  condition: Filter,
  part: string | undefined,
  value: unknown,
  budget: Budget,
): void {
  const before = resource[key];
  const list = Array.isArray(before) ? before : [];
  const id = equals(condition, "value")?.toLowerCase() ?? null;
  const isMeant = (one: unknown): boolean =>
    id === null ? matches(condition, one) : String(idOf(one)).toLowerCase() === id;
  spend(budget, id === null ? list.length * costOf(condition) : list.length / BY_ID_GAIN);
  if (op === "remove" && part === undefined) {
    resource[key] = list.filter((one) => !isMeant(one));
    return;
  }
  const meant = list.filter(isRecord).filter(isMeant);
  if (meant.length === 0) {
    // An address of a kind that there is none of yet is made.
    if (op === "remove") return;
    if (condition.op !== "eq" || condition.path.length !== 1)
      throw invalid(`No entry of ${key} is meant by the path.`, "noTarget");
    const [name = ""] = condition.path;
    const made: Resource = { [name]: condition.value };
    setWhole(made, part, value);
    resource[key] = [...list, made];
    return;
  }
  spend(budget, isRecord(value) ? meant.length * Object.keys(value).length : 0);
  for (const one of meant) {
    if (op === "remove" && part !== undefined) setPart(one, "remove", part, undefined);
    else setWhole(one, part, value);
  }
}

function setWhole(one: Resource, part: string | undefined, value: unknown): void {
  if (part !== undefined) setPart(one, "replace", part, value);
  else if (isRecord(value)) for (const [name, given] of Object.entries(value)) setPart(one, "replace", name, given);
  else one["value"] = value;
}
