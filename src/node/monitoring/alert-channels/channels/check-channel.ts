import type { TSchema } from "@sinclair/typebox";
import { Value } from "@sinclair/typebox/value";
import { kernelFail } from "../../../../kernel/http/errors.ts";
import { schemaReason } from "../../../../kernel/http/schema-reason.ts";
import { refuseUnknownFields } from "../../../../kernel/http/strict.ts";
import { OutgoingError } from "../../../../kernel/outgoing/index.ts";
import { type ChannelType, fail } from "../contract.ts";
import type { Needs } from "../needs.ts";
import { PROVIDERS, type Way } from "../providers/index.ts";

const isSchema = (value: unknown): value is TSchema => typeof value === "object" && value !== null;
const STRICT = new Map(Object.entries(PROVIDERS).map(([type, { schema }]) => [type, refuseUnknownFields(schema)]));

/** Throws `invalid_request` that names the first field of the configuration that is wrong. */
function checkConfig(type: ChannelType, config: unknown): void {
  const schema = STRICT.get(type);
  const first = isSchema(schema) ? Value.Errors(schema, config).First() : undefined;
  if (!first) return;
  const field = `config${first.path.replaceAll("/", ".")}`;
  const part: object = first.schema;
  const isUnknown = first.message === "Unexpected property";
  throw kernelFail("invalid_request", {
    field,
    reason: isUnknown
      ? `is not a field of a ${type} channel`
      : (first.schema.description ?? schemaReason(first.message, part)),
  });
}

/**
 * Checks what a channel is to be made of and opens its way. Throws `invalid_request`, `channel_secret_missing`. Names are
 * not looked up here, but before each delivery.
 */
export function checkChannel(
  { outgoing }: Pick<Needs, "outgoing">,
  type: ChannelType,
  config: unknown,
  secret: string | null,
): Way {
  checkConfig(type, config);
  const { secret: spec, open } = PROVIDERS[type];
  if (secret === null && spec.isRequired) throw fail("channel_secret_missing", { type, secret: spec.name });
  const reason = secret === null ? null : spec.check(secret);
  if (reason !== null) throw kernelFail("invalid_request", { field: "secret", reason: `The ${spec.name} ${reason}` });
  const way = open(config, secret);
  for (const url of way.urls) {
    try {
      outgoing.checkUrl(url);
    } catch (error) {
      if (!(error instanceof OutgoingError)) throw error;
      throw kernelFail("invalid_request", { field: url === secret ? "secret" : "config", reason: error.message });
    }
  }
  return way;
}
