import { minutes } from "../../lib/duration.ts";
import type { Ids } from "../../lib/ids.ts";
import type { NewChallenge, UseChallenge } from "./contract.ts";
import { loadWebAuthn } from "./library.ts";
import type { RelyingParty } from "./relying-party.ts";

/** How long a question to an authenticator may be answered. */
export const CHALLENGE_MS = minutes(5);

/** A credential as far as a browser is told of it. */
export interface KnownCredential {
  /** base64url. */
  credential_id: string;
  /** JSON list, a hint for the browser. */
  transports: string;
}

const parseTransports = (json: string): string[] => {
  const list: unknown = JSON.parse(json);
  return Array.isArray(list) ? list.filter((item) => typeof item === "string") : [];
};

const presentCredentials = (known: readonly KnownCredential[]) =>
  known.map((row) => ({ id: row.credential_id, transports: parseTransports(row.transports) }));

const makeChallenge = (ids: Ids) => new Uint8Array(Buffer.from(ids.token(32), "base64url"));

/** Options for making a credential that can be found without a user name, where the authenticator has the room for that. */
export async function askForNew(
  ids: Ids,
  rp: RelyingParty,
  user: { id: string; name: string },
  known: readonly KnownCredential[],
  residentKey: "required" | "preferred",
): Promise<NewChallenge["options"]["publicKey"]> {
  const { generateRegistrationOptions } = await loadWebAuthn();
  return generateRegistrationOptions({
    rpName: "Orrery",
    rpID: rp.rp_id,
    userID: new Uint8Array(Buffer.from(user.id)),
    userName: user.name,
    userDisplayName: user.name,
    challenge: makeChallenge(ids),
    timeout: CHALLENGE_MS,
    attestationType: "none",
    excludeCredentials: presentCredentials(known),
    authenticatorSelection: {
      residentKey,
      requireResidentKey: residentKey === "required",
      userVerification: "preferred",
    },
  });
}

/** Options for a proof by one of the credentials; with none of them by one in which the authenticator knows the account. */
export async function askForProof(
  ids: Ids,
  rp: RelyingParty,
  known: readonly KnownCredential[],
  userVerification: "required" | "preferred" | "discouraged",
): Promise<UseChallenge["options"]["publicKey"]> {
  const { generateAuthenticationOptions } = await loadWebAuthn();
  return generateAuthenticationOptions({
    rpID: rp.rp_id,
    challenge: makeChallenge(ids),
    timeout: CHALLENGE_MS,
    userVerification,
    allowCredentials: presentCredentials(known),
  });
}
