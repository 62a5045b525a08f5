import type { Clock } from "../../../lib/clock.ts";
import { days } from "../../../lib/duration.ts";
import type { ClaimsSigner } from "../../../shared/signed-claims/index.ts";
import type { Authority } from "../pki/index.ts";

/** The certificate outlives the time in which its key signs. */
const MARGIN_MS = days(8);

/** What the panel signs with. */
export interface Signing {
  /** The authority's slot that signs. */
  slot(): string;
  /** A key of it; the same one for as long as it serves. */
  signer(): ClaimsSigner;
}

/** Has a key made when one is first needed, before it ends, and when another slot signs. */
export function createSigning(clock: Pick<Clock, "now">, authority: () => Authority): Signing {
  let made: ReturnType<Authority["issueSigner"]> | null = null;
  const slot = () => authority().rotation().signing;
  return {
    slot,
    signer() {
      const isGood = made?.issuer === slot() && made.notAfter - clock.now() > MARGIN_MS;
      if (!made || !isGood) made = authority().issueSigner();
      return made;
    },
  };
}
