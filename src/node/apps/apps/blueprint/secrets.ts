import type { Manifest } from "../../templates/index.ts";
import type { AppSecret } from "../contract.ts";
import type { Own } from "../needs.ts";
import { insertSecret, listFormerSecretRows, listSecretRows, replaceSecret } from "./secret-store.ts";

type Secret = Manifest["secrets"][number];
type Deps = Pick<Own, "db" | "seal">;

const LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";
/** Bytes from here on would make the first letters likelier than the others. */
const FAIR_LIMIT = 256 - (256 % LETTERS.length);

const randomBytes = (count: number): Uint8Array => crypto.getRandomValues(new Uint8Array(count));

function randomLetters(count: number): string {
  let text = "";
  while (text.length < count) {
    for (const byte of randomBytes(count)) {
      if (byte < FAIR_LIMIT && text.length < count) text += LETTERS.charAt(byte % LETTERS.length);
    }
  }
  return text;
}

/** A new secret of that kind from the system's random source; for `password`, `bytes` counts characters. */
export function makeSecret({ kind, bytes }: Pick<Secret, "kind" | "bytes">): string {
  if (kind === "password") return randomLetters(bytes);
  return Buffer.from(randomBytes(bytes)).toString(kind);
}

const purpose = (appId: string, key: string): string => `app-secret:${appId}:${key}`;

/** Makes and seals the secrets that an app does not have yet. */
export function ensureSecrets({ db, seal }: Deps, appId: string, secrets: readonly Secret[]): void {
  for (const secret of secrets) {
    const { key, label } = secret;
    insertSecret(db, { app_id: appId, key, label, sealed: seal.seal(purpose(appId, key), makeSecret(secret)) });
  }
}

/** Seals new values in the place of the old ones, which are kept until the app has worked with the new. */
export function renewSecrets({ db, seal }: Deps, appId: string, values: Readonly<Record<string, string>>): void {
  for (const [key, value] of Object.entries(values))
    replaceSecret(db, { app_id: appId, key, sealed: seal.seal(purpose(appId, key), value) });
}

/** An app's secrets in the clear. */
export function readSecrets({ db, seal }: Deps, appId: string): AppSecret[] {
  return listSecretRows(db, appId).map(({ key, label, sealed }) => ({
    key,
    label,
    value: seal.open(purpose(appId, key), sealed),
  }));
}

/** In the clear, the values that an app worked with before they were renewed, until it has worked with the new ones. */
export const readFormerSecrets = ({ db, seal }: Deps, appId: string): string[] =>
  listFormerSecretRows(db, appId).map(({ key, sealed }) => seal.open(purpose(appId, key), sealed));

/** Gives an app the secrets of another one, sealed as its own. */
export function copySecrets({ db, seal }: Deps, from: string, to: string): void {
  for (const { key, label, value } of readSecrets({ db, seal }, from))
    insertSecret(db, { app_id: to, key, label, sealed: seal.seal(purpose(to, key), value) });
}
