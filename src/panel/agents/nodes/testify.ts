import { minutes } from "../../../lib/duration.ts";
import { createExpiringMap } from "../../../lib/expiring-map.ts";
import { type NamedCertificate, signWord, type WordReason } from "../../../shared/panel-word/index.ts";
import type { ClaimsSigner } from "../../../shared/signed-claims/index.ts";
import type { Needs } from "./needs.ts";
import { findStanding, type NodeStanding, wasDeleted } from "./node-store.ts";

/** What the tables say about a certificate that memory has no place for. */
export interface Testimony {
  /** Signed, when they say the same. */
  word: string | null;
  /** The node, when it lives after all. */
  living: NodeStanding | null;
}

/** A node that was deleted may ask again and again. */
const KEPT_MS = minutes(10);
const MAX_KEPT = 5_000;

/**
 * Asks the tables and signs what they say: memory alone is no proof. A panel over other tables than those of the fleet, or one that
 * is behind, must not make nodes give up.
 */
export function createTestimonies(
  { system, clock, isCurrent }: Pick<Needs, "system" | "clock" | "isCurrent">,
  signer: () => ClaimsSigner,
) {
  const kept = createExpiringMap<string>(clock, MAX_KEPT);

  function sign(certificate: NamedCertificate, reason: WordReason): string {
    const name = `${reason} ${certificate.serial} ${certificate.nodeId}`;
    const word = kept.get(name) ?? signWord(certificate, reason, clock.now(), signer());
    kept.set(name, word, KEPT_MS);
    return word;
  }

  return async (certificate: NamedCertificate, reason: WordReason): Promise<Testimony> => {
    if (!isCurrent()) return { word: null, living: null };
    const { nodeId, serial } = certificate;
    const living = await findStanding(system, nodeId);
    if (living) {
      const isHeld = living.serial === serial || living.pending_serial === serial;
      return { word: reason === "superseded" && !isHeld ? sign(certificate, reason) : null, living };
    }
    const isGone = reason === "deleted" && (await wasDeleted(system, nodeId));
    return { word: isGone ? sign(certificate, reason) : null, living: null };
  };
}
