import { isRecord } from "../../lib/json.ts";
import type { RouteInfo } from "./route-table.ts";

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

/** OpenAPI 3.1 of all routes, from the schemas and rules the routes themselves carry. */
export function describeApi(title: string, version: string, routes: readonly RouteInfo[]): Json {
  const paths: Record<string, Json> = {};
  for (const route of routes) {
    paths[route.path] = { ...paths[route.path], [route.method.toLowerCase()]: describeOperation(route) };
  }
  return {
    openapi: "3.1.0",
    info: { title, version },
    paths,
    components: {
      schemas: { Error: ERROR_SCHEMA },
      securitySchemes: {
        bearer: { type: "http", scheme: "bearer", bearerFormat: "JWT" },
        cookie: { type: "apiKey", in: "cookie", name: "access_token" },
      },
    },
  };
}

function describeOperation({ method, path, rule, hooks }: RouteInfo): Json {
  const detail = isRecord(hooks["detail"]) ? hooks["detail"] : {};
  const operation: Json = {
    operationId: `${method.toLowerCase()}${path.replace(/[{}]/g, "").replace(/[/_-](\w)/g, (_, c: string) => c.toUpperCase())}`,
    tags: [path.split("/")[2] ?? "api"],
    parameters: [...describeParameters(hooks["params"], "path"), ...describeParameters(hooks["query"], "query")],
    responses: describeResponses(hooks["response"]),
    security: rule.kind === "open" ? [] : [{ bearer: [] }, { cookie: [] }],
    "x-access": rule,
  };
  if (typeof detail["summary"] === "string") operation["summary"] = detail["summary"];
  if (hooks["body"] !== undefined) {
    operation["requestBody"] = { required: true, content: { "application/json": { schema: hooks["body"] } } };
  }
  return operation;
}

function describeParameters(schema: unknown, place: "path" | "query"): Json[] {
  if (!isRecord(schema) || !isRecord(schema["properties"])) return [];
  const required = Array.isArray(schema["required"]) ? schema["required"] : [];
  return Object.entries(schema["properties"]).map(([name, property]) => ({
    name,
    in: place,
    required: place === "path" || required.includes(name),
    schema: property,
  }));
}

function describeResponses(response: unknown): Json {
  const failure = {
    description: "Error",
    content: { "application/json": { schema: { $ref: "#/components/schemas/Error" } } },
  };
  const success = (schema: unknown) => ({ description: "Success", content: { "application/json": { schema } } });
  if (!isRecord(response)) return { 200: { description: "Success" }, default: failure };
  const isStatusMap = Object.keys(response).every((key) => /^\d{3}$/.test(key));
  const answers = isStatusMap ? response : { 200: response };
  return {
    ...Object.fromEntries(Object.entries(answers).map(([status, schema]) => [status, success(schema)])),
    default: failure,
  };
}
