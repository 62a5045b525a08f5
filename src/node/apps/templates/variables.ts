import type { Manifest } from "./manifest.ts";
import type { Input, Port, Secret } from "./manifest-parts.ts";

/** Where an app is reached; what the node tells every template besides inputs and secrets. */
export interface AppAddress {
  /** Address under which people open the app, without a slash at the end. */
  readonly url: string;
  /** IANA time zone of the node. */
  readonly timeZone: string;
  /** Ports on the host by `service:container` or `service:container/udp`; a port that is not published may be left out. */
  readonly hostPorts: Readonly<Record<string, number>>;
}

/** Names of the variables that the node gives to a template: the address, the time zone, and one for each TCP port. */
export function builtInNames(ports: readonly Port[]): string[] {
  return ["APP_URL", "APP_HOST", "APP_PORT", "TZ", ...ports.filter(isTcp).map(portVariable)];
}

/** Values of the variables that the node gives to a template. A port that is not published answers its container port. */
export function builtInVariables(ports: readonly Port[], address: AppAddress): Record<string, string> {
  const url = new URL(address.url);
  const values: Record<string, string> = {
    APP_URL: address.url.replace(/\/+$/, ""),
    APP_HOST: url.hostname,
    APP_PORT: url.port || (url.protocol === "https:" ? "443" : "80"),
    TZ: address.timeZone,
  };
  for (const port of ports.filter(isTcp)) {
    const host = address.hostPorts[`${port.service}:${port.container}`] ?? port.container;
    values[portVariable(port)] = String(host);
  }
  return values;
}

/** `PORT_<SERVICE>_<CONTAINER>`, such as `PORT_GITEA_2222`. */
function portVariable(port: Port): string {
  return `PORT_${port.service.toUpperCase().replaceAll("-", "_")}_${port.container}`;
}

const isTcp = (port: Port): boolean => port.protocol !== "udp";

/** Text that breaks anything which hands an answer to a shell or splits it at blanks. */
const HOSTILE_TEXT = `a b'"; $(touch x) #`;
const SAMPLE_ADDRESS: AppAddress = { url: "http://192.0.2.10:30080", timeZone: "Etc/UTC", hostPorts: {} };

type Variant = "first" | "second" | "hostile";

/**
 * Made-up values for every variable of a template, to read its Compose file before anybody has answered. Two different
 * variants tell what is written literally; hostile answers tell what would reach a shell.
 */
export function sampleVariables(manifest: Manifest, variant: Variant = "first"): Record<string, string> {
  const values = builtInVariables(manifest.ports, SAMPLE_ADDRESS);
  for (const secret of manifest.secrets) values[secret.key] = sampleSecret(secret, variant);
  for (const input of manifest.inputs) values[input.key] = sampleInput(input, variant);
  return values;
}

function sampleSecret(secret: Secret, variant: Variant): string {
  return (variant === "second" ? "b" : "a").repeat(secret.bytes);
}

function sampleInput(input: Input, variant: Variant): string {
  const isFree = ["text", "password"].includes(input.type) && input.rules?.pattern === undefined;
  if (variant === "hostile" && isFree) return HOSTILE_TEXT;
  if (input.default !== undefined && input.default !== "") return input.default;
  const suffix = variant === "second" ? "2" : "";
  if (input.type === "number") return String(input.rules?.min ?? 1);
  if (input.type === "boolean") return "true";
  if (input.type === "select") return input.rules?.options?.[0]?.value ?? "";
  if (input.type === "timezone") return "Etc/UTC";
  if (input.type === "email") return `someone${suffix}@example.com`;
  if (input.type === "url") return `https://example${suffix}.com`;
  return `sample${suffix}`;
}
