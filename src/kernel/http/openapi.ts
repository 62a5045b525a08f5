import { isRecord } from "../../lib/json.ts";
import type { AnyRule } from "./access.ts";
import type { RouteInfo } from "./route-table.ts";
import { NO_BODY } from "./strict.ts";

type Json = Record<string, unknown>;

/** How TypeBox marks what may be left out. */
const OPTIONAL = Symbol.for("TypeBox.Optional");

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
export function describeApi(title: string, version: string, routes: readonly RouteInfo<AnyRule>[]): Json {
  const paths: Record<string, Json> = {};
  // OpenAPI has no words for sockets.
  for (const route of routes.filter(({ method }) => method !== "WS")) {
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

function describeOperation({ method, path, rule, hooks }: RouteInfo<AnyRule>): Json {
  const detail = isRecord(hooks["detail"]) ? hooks["detail"] : {};
  const operation: Json = {
    operationId: `${method.toLowerCase()}${path.replace(/[{}]/g, "").replace(/[/_-](\w)/g, (_, c: string) => c.toUpperCase())}`,
    tags: [path.split("/")[2] ?? "api"],
    parameters: [...describePath(path, hooks["params"]), ...describeQuery(hooks["query"])],
    responses: describeResponses(hooks["response"]),
    security: rule.kind === "open" ? [] : [{ bearer: [] }, { cookie: [] }],
    "x-access": rule,
  };
  if (typeof detail["summary"] === "string") operation["summary"] = detail["summary"];
  if (hooks["body"] !== undefined && hooks["body"] !== NO_BODY) {
    const required = !(isRecord(hooks["body"]) && OPTIONAL in hooks["body"]);
    operation["requestBody"] = { required, content: { "application/json": { schema: hooks["body"] } } };
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
    schema: known[name] ?? { type: "string" },
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

/** Elysia reads numbers from text as `text in number form | number`; to a caller only the number means something. */
function plainSchema(schema: unknown): unknown {
  if (!isRecord(schema) || !Array.isArray(schema["anyOf"])) return schema;
  const [first, second, ...more] = schema["anyOf"];
  const isCoerced = more.length === 0 && isRecord(first) && first["type"] === "string" && "format" in first;
  return isCoerced ? second : schema;
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
