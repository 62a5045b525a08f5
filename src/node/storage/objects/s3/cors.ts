import type { ServerResponse } from "node:http";
import { isRecord, parseJson } from "../../../../lib/json.ts";
import { type Asked, answerXml, findOpen, needBucket, type World } from "./asked.ts";
import { readText } from "./body.ts";
import { saveSettings } from "./bucket-requests.ts";
import { S3Problem } from "./problem.ts";
import { header, type Wire } from "./wire.ts";
import { branch, childrenOf, type Element, leaf, parseXml, textOf, xmlDocument } from "./xml.ts";

/** Which pages of other origins a bucket answers. */
interface Rule {
  origins: string[];
  methods: string[];
  headers: string[];
  exposed: string[];
  maxAgeS: number | null;
}

const METHODS = ["GET", "PUT", "POST", "DELETE", "HEAD"];
const MOST_RULES = 100;

const isTexts = (value: unknown): value is string[] =>
  Array.isArray(value) && value.every((text) => typeof text === "string");

function isRule(value: unknown): value is Rule {
  return (
    isRecord(value) &&
    [value["origins"], value["methods"], value["headers"], value["exposed"]].every(isTexts) &&
    (value["maxAgeS"] === null || typeof value["maxAgeS"] === "number")
  );
}

function readRules(text: string | null): Rule[] {
  const given = text === null ? [] : parseJson(text);
  return Array.isArray(given) ? given.filter(isRule) : [];
}

/** A star stands for anything, once. */
function matches(pattern: string, text: string): boolean {
  const [begin = "", end] = pattern.toLowerCase().split("*", 2);
  const small = text.toLowerCase();
  if (end === undefined) return begin === small;
  return small.length >= begin.length + end.length && small.startsWith(begin) && small.endsWith(end);
}

function findRule(
  world: World,
  wire: Wire,
  method: string,
  asks: readonly string[],
): { rule: Rule; origin: string } | null {
  const origin = header(wire, "origin");
  const bucket = origin === null || wire.bucket === null ? null : findOpen(world, wire.bucket);
  if (origin === null || bucket === null) return null;
  const rule = readRules(bucket.cors).find(
    ({ origins, methods, headers }) =>
      methods.includes(method) &&
      origins.some((pattern) => matches(pattern, origin)) &&
      asks.every((name) => headers.some((pattern) => matches(pattern, name))),
  );
  return rule === undefined ? null : { rule, origin };
}

function put(response: ServerResponse, { rule, origin }: { rule: Rule; origin: string }): void {
  const isForAll = rule.origins.includes("*");
  response.setHeader("access-control-allow-origin", isForAll ? "*" : origin);
  response.setHeader("access-control-allow-methods", rule.methods.join(", "));
  if (rule.exposed.length > 0) response.setHeader("access-control-expose-headers", rule.exposed.join(", "));
  response.setHeader("vary", "Origin, Access-Control-Request-Method, Access-Control-Request-Headers");
}

/** Adds what a page of another origin needs to read the answer, errors too. */
export function allowOrigin(world: World, wire: Wire, response: ServerResponse): void {
  const found = findRule(world, wire, wire.method, []);
  if (found !== null) put(response, found);
}

/** Answers a browser that asks before it sends; nobody is signed in then. */
export function answerPreflight(world: World, wire: Wire, response: ServerResponse): void {
  const asks = (header(wire, "access-control-request-headers") ?? "").split(",").map((name) => name.trim());
  const named = asks.filter((name) => name !== "");
  const found = findRule(world, wire, header(wire, "access-control-request-method") ?? "", named);
  if (found === null) throw new S3Problem("AccessDenied", "No rule of this bucket allows the page to do that.");
  put(response, found);
  if (named.length > 0) response.setHeader("access-control-allow-headers", named.join(", "));
  if (found.rule.maxAgeS !== null) response.setHeader("access-control-max-age", String(found.rule.maxAgeS));
  response.writeHead(200, { "content-length": "0" });
  response.end();
}

function readRule(element: Element): Rule {
  const texts = (name: string): string[] => childrenOf(element, name).map(({ text }) => text.trim());
  const age = textOf(element, "MaxAgeSeconds");
  const rule = {
    origins: texts("AllowedOrigin"),
    methods: texts("AllowedMethod"),
    headers: texts("AllowedHeader"),
    exposed: texts("ExposeHeader"),
    maxAgeS: age === null || !/^\s*\d{1,9}\s*$/.test(age) ? null : Number(age),
  };
  const all = [...rule.origins, ...rule.headers, ...rule.exposed];
  if (rule.origins.length === 0 || rule.methods.length === 0) throw new S3Problem("MalformedXML");
  if (!rule.methods.every((method) => METHODS.includes(method)))
    throw new S3Problem("InvalidRequest", "A method of a rule is not one of GET, PUT, POST, DELETE, HEAD.");
  // They become headers of answers.
  if (all.some((text) => !/^[\x21-\x7e]{1,300}$/.test(text) || text.split("*").length > 2))
    throw new S3Problem("InvalidRequest");
  return rule;
}

/** Keeps the rules of a bucket. */
export async function putCors(asked: Asked): Promise<void> {
  needBucket(asked, "owner");
  const root = parseXml(await readText(asked, "owner"));
  const rules = childrenOf(root, "CORSRule").map(readRule);
  if (root.name !== "CORSConfiguration" || rules.length === 0 || rules.length > MOST_RULES)
    throw new S3Problem("MalformedXML");
  await saveSettings(asked, { cors: JSON.stringify(rules) });
}

/** The rules of a bucket. */
export function getCors(asked: Asked): void {
  const rules = readRules(needBucket(asked, "owner").cors);
  if (rules.length === 0) throw new S3Problem("NoSuchCORSConfiguration");
  const lines = rules.map(({ origins, methods, headers, exposed, maxAgeS }) =>
    branch(
      "CORSRule",
      ...methods.map((text) => leaf("AllowedMethod", text)),
      ...origins.map((text) => leaf("AllowedOrigin", text)),
      ...headers.map((text) => leaf("AllowedHeader", text)),
      ...exposed.map((text) => leaf("ExposeHeader", text)),
      maxAgeS === null ? "" : leaf("MaxAgeSeconds", maxAgeS),
    ),
  );
  answerXml(asked, xmlDocument("CORSConfiguration", ...lines));
}
