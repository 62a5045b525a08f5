import type { TSchema } from "@sinclair/typebox";
import { Value } from "@sinclair/typebox/value";
import { kernelFail } from "../../../../kernel/http/errors.ts";
import { schemaReason } from "../../../../kernel/http/schema-reason.ts";
import { refuseUnknownFields } from "../../../../kernel/http/strict.ts";
import { OutgoingError } from "../../../../kernel/outgoing/index.ts";
import type { ForwarderKind } from "../contract.ts";
import type { Needs } from "../needs.ts";
import { asChecked, type CheckedConfig, CONFIG_SCHEMAS, checkDestination } from "../senders/index.ts";

const isSchema = (value: unknown): value is TSchema => typeof value === "object" && value !== null;
const STRICT = new Map(Object.entries(CONFIG_SCHEMAS).map(([kind, schema]) => [kind, refuseUnknownFields(schema)]));

/** Headers that say how a request travels; a secret in one of them would change that. */
const OWN_HEADERS = new Set(
  "host content-length content-type transfer-encoding connection upgrade te trailer expect accept-encoding".split(" "),
);

const wrong = (field: string, reason: string) => kernelFail("invalid_request", { field, reason });

/** Throws `invalid_request` that names the first field that is wrong. Names are not looked up here, but before each sending. */
export function checkConfig(
  { ownPorts }: Pick<Needs, "ownPorts">,
  kind: ForwarderKind,
  config: unknown,
  secret: string | null,
): CheckedConfig {
  const schema = STRICT.get(kind);
  const first = isSchema(schema) ? Value.Errors(schema, config).First() : undefined;
  if (first) {
    const isUnknown = first.message === "Unexpected property";
    const reason = isUnknown ? `is not a field of a ${kind} forwarder` : schemaReason(first.message, first.schema);
    throw wrong(`config${first.path.replaceAll("/", ".")}`, reason);
  }
  const checked = asChecked(kind, config);
  if (!checked) throw wrong("config", `does not fit a ${kind} forwarder`);
  if (checked.kind === "syslog" && secret !== null) throw wrong("secret", "is not used by syslog; leave it out");
  if (checked.kind === "http" && OWN_HEADERS.has((checked.config.header ?? "").toLowerCase()))
    throw wrong("config.header", "must be a header of the receiver, such as Authorization or X-Api-Key");
  const isUserAlone = checked.kind === "loki" && checked.config.user && secret === null;
  if (isUserAlone) throw wrong("secret", "must be the password of that user");
  try {
    checkDestination(ownPorts, checked);
  } catch (error) {
    if (!(error instanceof OutgoingError)) throw error;
    throw wrong(checked.kind === "syslog" ? "config.host" : "config.url", error.message);
  }
  return checked;
}
