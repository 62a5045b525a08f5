import type {
  Forwarder,
  ForwarderKind,
  Level,
  Sources,
} from "../../../../src/node/monitoring/log-forwarders/contract.ts";
import type { IconName } from "../../../icons/names.ts";

/** All fields of the form as they are typed; each kind uses some. */
export interface ForwarderFields {
  name: string;
  sources: Sources;
  least: Level | "";
  secret: string;
  ca: string;
  host: string;
  port: string;
  transport: "udp" | "tcp" | "tls";
  url: string;
  user: string;
  tenant: string;
  header: string;
}

const empty: ForwarderFields = {
  name: "",
  sources: "all",
  least: "",
  secret: "",
  ca: "",
  host: "",
  port: "6514",
  transport: "tls",
  url: "",
  user: "",
  tenant: "",
  header: "",
};

const ports = { udp: "514", tcp: "601", tls: "6514" };

export const kinds: { kind: ForwarderKind; name: string; icon: IconName }[] = [
  { kind: "syslog", name: "Syslog", icon: "server" },
  { kind: "loki", name: "Loki", icon: "layers" },
  { kind: "http", name: "HTTP JSON", icon: "globe" },
];

export const sourceNames: Record<Sources, string> = {
  all: "Everything",
  system: "The system",
  containers: "Containers",
};

export const levelNames: Record<Level | "", string> = {
  "": "Every line",
  debug: "Every line with a level",
  info: "Info and worse",
  warn: "Warnings and errors",
  error: "Errors",
};

/** The fields of a forwarder to edit, or of a new one. */
export function fieldsOf(forwarder: Forwarder | null): ForwarderFields {
  if (forwarder === null) return empty;
  const { config, name, sources, min_level } = forwarder;
  const base = { ...empty, name, sources, least: min_level ?? "", ca: config.ca ?? "" } as const;
  if ("host" in config) return { ...base, ...config, ca: base.ca, port: String(config.port) };
  const { url } = config;
  const user = "user" in config ? (config.user ?? "") : "";
  const tenant = "tenant" in config ? (config.tenant ?? "") : "";
  const header = "header" in config ? (config.header ?? "") : "";
  return { ...base, url, user, tenant, header };
}

/** The fields after another transport was chosen; the usual port of the old one is replaced by that of the new one. */
export function chooseTransport(fields: ForwarderFields, transport: ForwarderFields["transport"]): ForwarderFields {
  return { ...fields, transport, port: fields.port === ports[fields.transport] ? ports[transport] : fields.port };
}

/** What is filled in, without the rest. */
const filled = (values: Record<string, string>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(values)
      .map(([key, value]): [string, string] => [key, value.trim()])
      .filter(([, value]) => value !== ""),
  );

/** True where an own authority means something: the way is encrypted. */
export const isEncrypted = (kind: ForwarderKind, { transport, url }: ForwarderFields): boolean =>
  kind === "syslog" ? transport === "tls" : url.trim().startsWith("https:");

/** The configuration as the API takes it. */
export function configOf(kind: ForwarderKind, fields: ForwarderFields): Record<string, unknown> {
  const ca = isEncrypted(kind, fields) ? filled({ ca: fields.ca }) : {};
  const { host, port, transport, url, user, tenant, header } = fields;
  if (kind === "syslog") return { host: host.trim(), port: Number(port), transport, ...ca };
  if (kind === "loki") return { url: url.trim(), ...filled({ user, tenant }), ...ca };
  return { url: url.trim(), ...filled({ header }), ...ca };
}

/** True when all needed fields are filled; the server checks what is in them. */
export function isReady(kind: ForwarderKind, { name, host, port, url }: ForwarderFields): boolean {
  if (name.trim() === "") return false;
  return kind === "syslog" ? host.trim() !== "" && /^\d+$/.test(port.trim()) : url.trim() !== "";
}

/** What a forwarder is and where it leads, in a few words. */
export function placeOf({ kind, config }: Forwarder): string {
  if ("host" in config) return `Syslog over ${config.transport.toUpperCase()} to ${config.host}:${config.port}`;
  return `${kind === "loki" ? "Loki" : "HTTP JSON"} at ${config.url}`;
}
