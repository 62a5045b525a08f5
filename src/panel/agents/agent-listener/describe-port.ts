import type { TSchema } from "@sinclair/typebox";
import { type ErrorTable, kernelFail } from "../../../kernel/http/errors.ts";
import {
  AGENT_PATHS,
  agentFail,
  HeartbeatInput,
  HeartbeatOutput,
  RegisterInput,
  RegisterOutput,
  RenewInput,
  RenewOutput,
  SESSION_PROTOCOL,
} from "../../../shared/agent-protocol/index.ts";

type Json = Record<string, unknown>;

/** What the port answers besides its own refusals. */
const COMMON = [
  "invalid_request",
  "not_found",
  "payload_too_large",
  "unsupported_media_type",
  "too_many_requests",
  "internal",
  "disk_full",
  "unavailable",
] as const;

/** OpenAPI 3.1 of the agent port, from the schemas that check what nodes say. */
export function describeAgentPort(): Json {
  const refusals = describeRefusals();
  const refused = Object.fromEntries(
    Object.keys(refusals).map((status) => [status, { $ref: `#/components/responses/${status}` }]),
  );
  const call = (summary: string, input: TSchema, output: TSchema, security: Json[] = [{ certificate: [] }]): Json => ({
    post: {
      summary,
      security,
      requestBody: { required: true, content: { "application/json": { schema: plain(input) } } },
      responses: { 200: answer("What the panel answers", plain(output)), ...refused },
    },
  });
  return {
    openapi: "3.1.0",
    info: {
      title: "Orrery panel: agent port",
      version: "1",
      description: "Port 8443, TLS 1.3 with client certificates. docs/agent-protocol.md has the rules in words.",
    },
    paths: {
      [AGENT_PATHS.register]: call("Enrol a node, or enrol it again in place", RegisterInput, RegisterOutput, []),
      [AGENT_PATHS.renew]: call("A new certificate for the node whose certificate is shown", RenewInput, RenewOutput),
      [AGENT_PATHS.heartbeat]: call(
        "Tell how the node is; commands ride on the answer",
        HeartbeatInput,
        HeartbeatOutput,
      ),
      [AGENT_PATHS.control]: {
        get: {
          summary: `Begin a session: ask with Upgrade: ${SESSION_PROTOCOL}`,
          security: [{ certificate: [] }],
          parameters: [
            { name: "Upgrade", in: "header", required: true, schema: { type: "string", const: SESSION_PROTOCOL } },
          ],
          responses: { 101: { description: "Frames from here on, in both directions" }, ...refused },
        },
      },
    },
    components: {
      responses: refusals,
      securitySchemes: { certificate: { type: "mutualTLS", description: "The certificate that the panel issued" } },
    },
  };
}

/** Schemas carry marks of the library that checks with them. */
const plain = (schema: TSchema): unknown => JSON.parse(JSON.stringify(schema));

const answer = (description: string, schema: unknown): Json => ({
  description,
  content: { "application/json": { schema } },
});

/** By status, each with the codes that have it. */
function describeRefusals(): Json {
  const tables: ErrorTable = { ...agentFail.table };
  for (const code of COMMON) tables[code] = kernelFail.table[code];
  const byStatus = Map.groupBy(Object.entries(tables), ([, [status]]) => status);
  const described = [...byStatus]
    .sort(([a], [b]) => a - b)
    .map(([status, entries]) => {
      const codes = entries.map(([code]) => code).sort();
      const properties = {
        error: { type: "string" },
        code: { type: "string", enum: codes },
        message: { type: "string" },
        params: { type: "object" },
      };
      const schema = { type: "object", required: ["error", "code", "message", "params"], properties };
      return [status, answer(entries.map(([code, [, text]]) => `${code}: ${text}`).join(" "), schema)] as const;
    });
  return Object.fromEntries(described);
}
