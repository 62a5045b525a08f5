import { generateKeyPairSync, X509Certificate } from "node:crypto";
import { Value } from "@sinclair/typebox/value";
import { t } from "elysia";
import { Nullable } from "../../../kernel/http/schema.ts";
import type { Seal } from "../../../kernel/seal.ts";
import { parseJson } from "../../../lib/json.ts";
import type { ClientCredential } from "../../../shared/agent-client/index.ts";
import { type Credentials, makeCsr } from "../../../shared/agent-protocol/index.ts";

const CREDENTIALS = "panel-credentials";
const SECRET = "panel-secret";

const Held = t.Object({ certificate: t.String(), key: t.String() });
const Sealed = t.Object({ current: Held, pending: Nullable(Held) });

/** What a node shows its panel. */
export type NodeCredentials = Credentials<ClientCredential>;

/** A fresh P-256 key and a request for a certificate of it. */
export function makeKey(instanceId: string): { key: string; csr: string } {
  const { privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const key = privateKey.export({ type: "pkcs8", format: "pem" }).toString();
  return { key, csr: makeCsr(privateKey, instanceId) };
}

/** Certificates and keys as they are stored. */
export const sealCredentials = (seal: Seal, credentials: NodeCredentials): string =>
  seal.seal(CREDENTIALS, JSON.stringify(credentials));

/** Throws an Error when they were sealed under another key or for something else. */
export function openCredentials(seal: Seal, sealed: string): NodeCredentials {
  const value = parseJson(seal.open(CREDENTIALS, sealed));
  if (!Value.Check(Sealed, value)) throw new Error("the stored certificates of the panel cannot be read");
  return value;
}

/** The shared secret as it is stored. */
export const sealSecret = (seal: Seal, secret: string): string => seal.seal(SECRET, secret);

/** Throws an Error when it was sealed under another key or for something else. */
export const openSecret = (seal: Seal, sealed: string): string => seal.open(SECRET, sealed);

/** When the first certificate of a chain ends, milliseconds. Throws an Error for a text that is none. */
export const certificateEnd = (chain: string): number => new X509Certificate(chain).validToDate.getTime();
