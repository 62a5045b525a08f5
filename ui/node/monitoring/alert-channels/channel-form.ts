import type { Channel } from "../../../../src/node/monitoring/alert-channels/contract.ts";
import type { ChannelKind } from "./channel-kinds.ts";

/** All fields of the form as they are typed; each kind uses some. */
export interface ChannelFields {
  name: string;
  secret: string;
  host: string;
  port: string;
  security: "starttls" | "tls" | "none";
  verify: boolean;
  user: string;
  from: string;
  to: string;
  chat_id: string;
  url: string;
}

const empty: ChannelFields = {
  name: "",
  secret: "",
  host: "",
  port: "587",
  security: "starttls",
  verify: true,
  user: "",
  from: "",
  to: "",
  chat_id: "",
  url: "",
};

const ports = { starttls: "587", tls: "465", none: "25" };

/** The fields of a channel to edit, or of a new one. */
export function fieldsOf(channel: Channel | null): ChannelFields {
  if (channel === null) return empty;
  const { config, name } = channel;
  if ("host" in config) {
    const { host, port, security, verify_certificate, user = "", from, to } = config;
    const mail = { host, port: String(port), security, user, from, to: to.join(", ") };
    return { ...empty, name, ...mail, verify: verify_certificate !== false };
  }
  if ("chat_id" in config) return { ...empty, name, chat_id: config.chat_id, url: config.api_url ?? "" };
  return { ...empty, name, url: "url" in config ? config.url : "" };
}

/** The fields after another encryption was chosen; the usual port of the old one is replaced by that of the new one. */
export function chooseSecurity(fields: ChannelFields, security: ChannelFields["security"]): ChannelFields {
  return { ...fields, security, port: fields.port === ports[fields.security] ? ports[security] : fields.port };
}

/** The configuration as the API takes it. */
export function configOf(type: ChannelKind, fields: ChannelFields): Record<string, unknown> {
  const { host, port, security, verify, user, from, to, chat_id, url } = fields;
  const receivers = to.split(/[\s,;]+/).filter((address) => address !== "");
  switch (type) {
    case "email":
      return {
        host: host.trim(),
        port: Number(port),
        security,
        ...(verify ? {} : { verify_certificate: false }),
        ...(user.trim() === "" ? {} : { user: user.trim() }),
        from: from.trim(),
        to: receivers,
      };
    case "telegram":
      return { chat_id: chat_id.trim(), ...(url.trim() === "" ? {} : { api_url: url.trim() }) };
    case "webhook":
      return { url: url.trim() };
    case "slack":
    case "discord":
      return {};
  }
}

/** True when all needed fields are filled; the server checks what is in them. */
export function isReady(type: ChannelKind, fields: ChannelFields, hasSecret: boolean): boolean {
  if (fields.name.trim() === "") return false;
  const secret = hasSecret || fields.secret.trim() !== "";
  switch (type) {
    case "email":
      return [fields.host, fields.port, fields.from, fields.to].every((text) => text.trim() !== "");
    case "telegram":
      return secret && fields.chat_id.trim() !== "";
    case "webhook":
      return fields.url.trim() !== "";
    case "slack":
    case "discord":
      return secret;
  }
}

/** Where a channel leads, in a few words. */
export function placeOf({ config }: Channel): string {
  if ("host" in config) return `${config.to.join(", ")} through ${config.host}`;
  if ("chat_id" in config) return `chat ${config.chat_id}`;
  return "url" in config ? config.url : "incoming webhook";
}
