import type { Needs } from "../needs.ts";
import type { ForwarderRow } from "./forwarder-store.ts";

/** Bound to the forwarder, so that a sealed secret is of no use in the row of another one. */
const purposeOf = (id: string): string => `log-forwarder:${id}`;

export const sealSecret = ({ seal }: Pick<Needs, "seal">, id: string, secret: string): string =>
  seal.seal(purposeOf(id), secret);

/** The secret in clear, null without one. Throws when it was sealed under another key. */
export const openSecret = ({ seal }: Pick<Needs, "seal">, { id, secret }: Pick<ForwarderRow, "id" | "secret">) =>
  secret === null ? null : seal.open(purposeOf(id), secret);
