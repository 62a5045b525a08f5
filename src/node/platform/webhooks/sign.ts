import { createHmac } from "node:crypto";

const PREFIX = "whsec_";

/** A signing secret from 24 to 64 random bytes, in the form of the Standard Webhooks specification. */
export function formatSecret(random: Uint8Array): string {
  return `${PREFIX}${Buffer.from(random).toString("base64")}`;
}

/** `v1,<base64>` over id, time and body as of the Standard Webhooks specification; its key is what the secret encodes. */
export function signStandard(secret: string, id: string, timestampS: number, body: string): string {
  const key = Buffer.from(secret.slice(PREFIX.length), "base64");
  return `v1,${createHmac("sha256", key).update(`${id}.${timestampS}.${body}`).digest("base64")}`;
}

/** `sha256=<hex>` over the body alone; its key is the secret's text. */
export function signBody(secret: string, body: string): string {
  return `sha256=${createHmac("sha256", secret).update(body).digest("hex")}`;
}

/** All headers of one attempt. `secrets` is the current one first, then one that was just replaced. */
export function signatureHeaders(
  secrets: readonly [string, ...string[]],
  id: string,
  nowMs: number,
  body: string,
): Record<string, string> {
  const timestamp = Math.floor(nowMs / 1000);
  return {
    "x-service-signature": signBody(secrets[0], body),
    "webhook-id": id,
    "webhook-timestamp": String(timestamp),
    "webhook-signature": secrets.map((secret) => signStandard(secret, id, timestamp, body)).join(" "),
  };
}
