import { isRecord } from "../../lib/json.ts";
import { READY } from "./handlers.ts";
import type { RouteInfo } from "./route-table.ts";
import { NO_BODY, OPTIONAL, withoutCoercion } from "./strict.ts";

type Json = Record<string, unknown>;

const ERROR_SCHEMA: Json = {
  type: "object",
  required: ["error", "code", "message", "params"],
  properties: {
    error: { type: "string" },
    code: { type: "string" },
    message: { type: "string" },
    params: { type: "object" },
  },
};

const FAILURE: Json = {
  description: "Error",
  content: { "application/json": { schema: { $ref: "#/components/schemas/Error" } } },
};

/** What OpenAPI has words for: neither sockets nor the methods of WebDAV. */
const METHODS = new Set(["GET", "PUT", "POST", "DELETE", "OPTIONS", "HEAD", "PATCH"]);

/** OpenAPI 3.1 of all routes, from the schemas and rules the routes themselves carry. */
export function describeApi(title: string, version: string, routes: readonly RouteInfo[]): Json {
  const paths: Record<string, Json> = {};
  const securitySchemes: Json = Object.assign({}, ...routes.map(({ schemes }) => schemes));
  for (const route of routes.filter(({ method }) => METHODS.has(method))) {
    paths[route.path] = { ...paths[route.path], [route.method.toLowerCase()]: describeOperation(route) };
  }
  return {
    openapi: "3.1.0",
    info: { title, version },
    paths,
    components: {
      schemas: { Error: ERROR_SCHEMA },
      securitySchemes,
    },
  };
}

function describeOperation({ method, path, rule, schemes, hooks }: RouteInfo): Json {
  const detail = isRecord(hooks["detail"]) ? hooks["detail"] : {};
  const operation: Json = {
    operationId: `${method.toLowerCase()}${path.replace(/[{}]/g, "").replace(/[/_-](\w)/g, (_, c: string) => c.toUpperCase())}`,
    tags: [path.split("/")[2] ?? "api"],
    parameters: [...describePath(path, hooks["params"]), ...describeQuery(hooks["query"])],
    responses: { ...describeResponses(detail["responses"], hooks["response"] ?? hooks[READY]), default: FAILURE },
    security: Object.keys(schemes).map((name) => ({ [name]: [] })),
    "x-access": rule,
  };
  if (typeof detail["summary"] === "string") operation["summary"] = detail["summary"];
  if (isRecord(detail["requestBody"])) operation["requestBody"] = detail["requestBody"];
  if (hooks["body"] !== undefined && hooks["body"] !== NO_BODY) {
    const required = !(isRecord(hooks["body"]) && OPTIONAL in hooks["body"]);
    operation["requestBody"] = { required, content: { "application/json": { schema: plainSchema(hooks["body"]) } } };
  }
  return operation;
}

function propertiesOf(schema: unknown): Json {
  return isRecord(schema) && isRecord(schema["properties"]) ? schema["properties"] : {};
}

function describePath(path: string, schema: unknown): Json[] {
  const known = propertiesOf(schema);
  return [...path.matchAll(/\{(\w+)\}/g)].map(([, name = ""]) => ({
    name,
    in: "path",
    required: true,
    schema: plainSchema(known[name] ?? { type: "string" }),
  }));
}

function describeQuery(schema: unknown): Json[] {
  const required = isRecord(schema) && Array.isArray(schema["required"]) ? schema["required"] : [];
  return Object.entries(propertiesOf(schema)).map(([name, property]) => ({
    name,
    in: "query",
    required: required.includes(name),
    schema: plainSchema(property),
  }));
}

/** A schema as callers see it: a number is a number, at every depth. */
function plainSchema(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(plainSchema);
  if (!isRecord(schema)) return schema;
  return Object.fromEntries(Object.entries(withoutCoercion(schema)).map(([key, part]) => [key, plainSchema(part)]));
}

/** The answers that a route goes by: in its own words, or from its schemas. */
function describeResponses(words: unknown, response: unknown): Json {
  if (isRecord(words)) return words;
  if (!isRecord(response)) return { 200: { description: "Success" } };
  const isStatusMap = Object.keys(response).every((key) => /^\d{3}$/.test(key));
  const answers = isStatusMap ? response : { 200: response };
  const success = (schema: unknown) => ({
    description: "Success",
    content: { "application/json": { schema: plainSchema(schema) } },
  });
  return Object.fromEntries(Object.entries(answers).map(([status, schema]) => [status, success(schema)]));
}
