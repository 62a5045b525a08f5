import type { ServerResponse } from "node:http";
import { type Asked, answerXml, findOpen, needBucket, type World } from "./asked.ts";
import { saveSettings } from "./bucket-requests.ts";
import {
  type CorsRule,
  findRule,
  METHODS,
  MOST_BYTES,
  MOST_HEADERS,
  MOST_ORIGINS,
  MOST_RULES,
  type ReadyRule,
  readCorsRules,
} from "./cors-rules.ts";
import { S3Problem } from "./problem.ts";
import { readText } from "./read-text.ts";
import { header, type Wire } from "./wire.ts";
import { branch, childrenOf, type Element, leaf, parseXml, textOf, xmlDocument } from "./xml.ts";

interface Found {
  rule: ReadyRule;
  origin: string;
}

function findFor(world: World, wire: Wire, method: string, names: readonly string[]): Found | null {
  const origin = header(wire, "origin");
  const bucket = origin === null || wire.bucket === null ? null : findOpen(world, wire.bucket);
  if (origin === null || bucket === null || bucket.cors === null) return null;
  const rule = findRule(world.readCors(bucket.cors), origin, method, names);
  return rule === null ? null : { rule, origin };
}

function put(response: ServerResponse, { rule, origin }: Found): void {
  response.setHeader("access-control-allow-origin", rule.isForAll ? "*" : origin);
  response.setHeader("access-control-allow-methods", rule.told.methods);
  if (rule.told.exposed !== "") response.setHeader("access-control-expose-headers", rule.told.exposed);
  response.setHeader("vary", "Origin, Access-Control-Request-Method, Access-Control-Request-Headers");
}

/** Adds what a page of another origin needs to read the answer, errors too. */
export function allowOrigin(world: World, wire: Wire, response: ServerResponse): void {
  const found = findFor(world, wire, wire.method, []);
  if (found !== null) put(response, found);
}

/** The headers that a page wants to send. Throws InvalidRequest for more than any rule names. */
function readNames(wire: Wire): string[] {
  const names = (header(wire, "access-control-request-headers") ?? "").split(",", MOST_HEADERS + 1);
  if (names.length > MOST_HEADERS)
    throw new S3Problem("InvalidRequest", `A page can ask for ${MOST_HEADERS} headers at once.`);
  return names.map((name) => name.trim()).filter((name) => name !== "");
}

/** Answers a browser that asks before it sends; nobody is signed in then. */
export function answerPreflight(world: World, wire: Wire, response: ServerResponse): void {
  const names = readNames(wire);
  const found = findFor(world, wire, header(wire, "access-control-request-method") ?? "", names);
  if (found === null) throw new S3Problem("AccessDenied", "No rule of this bucket allows the page to do that.");
  put(response, found);
  if (names.length > 0) response.setHeader("access-control-allow-headers", names.join(", "));
  if (found.rule.maxAgeS !== null) response.setHeader("access-control-max-age", String(found.rule.maxAgeS));
  response.writeHead(200, { "content-length": "0" });
  response.end();
}

function readRule(element: Element): CorsRule {
  const texts = (name: string): string[] => childrenOf(element, name).map(({ text }) => text.trim());
  const age = textOf(element, "MaxAgeSeconds");
  const rule = {
    origins: texts("AllowedOrigin"),
    methods: texts("AllowedMethod"),
    headers: texts("AllowedHeader"),
    exposed: texts("ExposeHeader"),
    maxAgeS: age === null || !/^\s*\d{1,9}\s*$/.test(age) ? null : Number(age),
  };
  const { origins, methods, headers, exposed } = rule;
  if (origins.length === 0 || methods.length === 0) throw new S3Problem("MalformedXML");
  if (!methods.every((method) => METHODS.includes(method)))
    throw new S3Problem("InvalidRequest", "A method of a rule is not one of GET, PUT, POST, DELETE, HEAD.");
  if (origins.length > MOST_ORIGINS || headers.length > MOST_HEADERS || exposed.length > MOST_HEADERS)
    throw new S3Problem(
      "InvalidRequest",
      `A rule can name ${MOST_ORIGINS} origins, and ${MOST_HEADERS} headers of each kind.`,
    );
  // They become headers of answers.
  if (
    [...origins, ...headers, ...exposed].some(
      (text) => !/^[\x21-\x7e]{1,300}$/.test(text) || text.split("*").length > 2,
    )
  )
    throw new S3Problem("InvalidRequest");
  return rule;
}

/** Keeps the rules of a bucket. */
export async function putCors(asked: Asked): Promise<void> {
  needBucket(asked, "owner");
  const root = parseXml(await readText(asked, "owner", MOST_BYTES));
  const rules = childrenOf(root, "CORSRule");
  if (root.name !== "CORSConfiguration" || rules.length === 0 || rules.length > MOST_RULES)
    throw new S3Problem("MalformedXML");
  await saveSettings(asked, { cors: JSON.stringify(rules.map(readRule)) });
}

/** The rules of a bucket. */
export function getCors(asked: Asked): void {
  const rules = readCorsRules(needBucket(asked, "owner").cors);
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
