/** The panel's word that a certificate of a node is of no use any more: without it, a refusal only means to try again. */
import { type Static, t } from "elysia";
import { type ClaimsSigner, openClaims, signClaims } from "../signed-claims/index.ts";

const ISSUER = "orrery-panel-word";

/**
 * About one certificate and no other: a node that registered again has another one, so that a word of before says nothing
 * about it. `deleted`: its node is no part of the fleet. `superseded`: the node has another one by now.
 */
const Word = t.Object({
  iss: t.Literal(ISSUER),
  /** The node. */
  sub: t.String({ minLength: 1, maxLength: 64 }),
  /** The certificate. */
  serial: t.String({ minLength: 1, maxLength: 64 }),
  reason: t.Union([t.Literal("deleted"), t.Literal("superseded")]),
  iat: t.Integer({ minimum: 0 }),
});

export type WordReason = Static<typeof Word>["reason"];

/** A certificate of a node. */
export interface NamedCertificate {
  nodeId: string;
  serial: string;
}

/** Signs that a certificate is of no use. `now` is milliseconds. */
export function signWord(
  { nodeId, serial }: NamedCertificate,
  reason: WordReason,
  now: number,
  signer: ClaimsSigner,
): string {
  return signClaims({ iss: ISSUER, sub: nodeId, serial, reason, iat: Math.floor(now / 1000) }, signer);
}

/** True when the panel behind these roots says just that about this certificate. */
export function isWordOn(
  word: string,
  caBundlePem: string,
  { nodeId, serial }: NamedCertificate,
  reason: WordReason,
): boolean {
  const claims = openClaims(word, caBundlePem, Word, ({ iat }) => iat * 1000);
  return claims?.sub === nodeId && claims.serial === serial && claims.reason === reason;
}
