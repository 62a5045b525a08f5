import { X509Certificate } from "node:crypto";
import { toIso } from "../../../../lib/clock.ts";
import { days } from "../../../../lib/duration.ts";
import { byPanel } from "../../../event-meaning.ts";
import type { CertificateLeft } from "../contract.ts";
import type { Own } from "../needs.ts";
import { findWatched, listWatched, updateCertificateTold, type WatchedRow } from "../store.ts";
import { readSettings } from "./settings.ts";

/** How many days before the end of the last certificate it is told, the most urgent first; 0 when it has ended. */
const TOLD_AT: readonly CertificateLeft[] = [0, 1, 7, 30];

interface Ending {
  fingerprint: string;
  ends: number;
  left: CertificateLeft;
  follows: boolean;
}

/** The end of the certificate that is good for longest, as far as it is near: whoever has set the next one need not hear of the one before. */
function endingOf({ saml }: WatchedRow, now: number): Ending | null {
  const settings = readSettings(saml);
  const known = (settings?.certificates ?? []).map((pem) => new X509Certificate(pem));
  const [last] = known.toSorted((a, b) => Date.parse(b.validTo) - Date.parse(a.validTo));
  if (!(settings && last)) return null;
  const ends = Date.parse(last.validTo);
  const left = TOLD_AT.find((count) => ends - now <= days(count));
  const follows = settings.metadata_url !== null && settings.problem === null;
  return left === undefined ? null : { fingerprint: last.fingerprint256, ends, left, follows };
}

/** True where nobody has heard of this certificate, or only when more days were left. */
function isNews(told: string | null, { fingerprint, left }: Ending): boolean {
  const [before, count] = told?.split(" ") ?? [];
  return before !== fingerprint || Number(count) > left;
}

/** Tells those who set up the sign-in of a workspace that the certificate of its provider ends, once for each of 30, 7 and 1 days and the end itself. */
export async function watchCertificates(own: Pick<Own, "system" | "clock" | "bus">): Promise<void> {
  for (const seen of await listWatched(own.system)) {
    const ending = endingOf(seen, own.clock.now());
    if (!ending || !isNews(seen.certificate_told, ending)) continue;
    await own.system.tx(async (tx) => {
      const row = await findWatched(tx, seen.tenant_id, seen.id);
      // Changed meanwhile: the next look judges what it is now.
      if (row?.saml !== seen.saml || row.certificate_told !== seen.certificate_told) return;
      await updateCertificateTold(tx, row, `${ending.fingerprint} ${ending.left}`);
      await own.bus.emit(tx, "sso.certificate_ending", {
        ...{ by: byPanel(row.tenant_id), connector_id: row.id, name: row.name },
        ...{ ends_at: toIso(ending.ends), left: ending.left, follows: ending.follows },
      });
    });
  }
}
