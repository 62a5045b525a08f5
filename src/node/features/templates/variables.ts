import type { Input, Manifest, Secret } from "./manifest.ts";

/** Values that the node gives to every template besides its inputs and secrets. */
export const BUILT_IN_VARIABLES: Readonly<Record<string, { readonly doc: string; readonly sample: string }>> = {
  APP_URL: {
    doc: "Address under which people open the app, without a slash at the end",
    sample: "http://192.0.2.10:30080",
  },
  APP_HOST: { doc: "Host name or address of that address", sample: "192.0.2.10" },
  APP_PORT: { doc: "Port of that address", sample: "30080" },
  TZ: { doc: "IANA time zone of the node", sample: "Etc/UTC" },
};

/** Text that breaks anything which hands an answer to a shell or splits it at blanks. */
const HOSTILE_TEXT = `a b'"; $(touch x) #`;

/**
 * Made-up values for every variable of a template, to read its Compose file before anybody has answered. Two different
 * `variant`s tell what is written literally; `hostile` answers tell what would reach a shell.
 */
export function sampleVariables(
  manifest: Manifest,
  variant: "first" | "second" | "hostile" = "first",
): Record<string, string> {
  const values: Record<string, string> = {};
  for (const [key, { sample }] of Object.entries(BUILT_IN_VARIABLES)) values[key] = sample;
  for (const secret of manifest.secrets) values[secret.key] = sampleSecret(secret, variant);
  for (const input of manifest.inputs) values[input.key] = sampleInput(input, variant);
  return values;
}

function sampleSecret(secret: Secret, variant: "first" | "second" | "hostile"): string {
  const letter = variant === "second" ? "b" : "a";
  return letter.repeat(secret.bytes);
}

function sampleInput(input: Input, variant: "first" | "second" | "hostile"): string {
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
