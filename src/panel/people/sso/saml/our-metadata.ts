import { type Origin, panelOrigin, samlAddresses } from "../addresses.ts";
import { fail } from "../contract.ts";
import type { Own } from "../needs.ts";
import { findConnectorById } from "../store.ts";
import { writeMetadata } from "./own-metadata.ts";
import { readSettings } from "./settings.ts";

/** Our metadata for the provider of a connector, to be downloaded or fetched. Throws `connector_not_found`. */
export async function describeOurselves(own: Own, origin: Origin, id: string): Promise<Response> {
  const connector = await findConnectorById(own.system, id);
  const settings = readSettings(connector?.saml ?? null);
  if (!settings) throw fail("connector_not_found", { id });
  const { own_certificate: certificate, signs_requests, takes_encrypted } = settings;
  const addresses = samlAddresses(panelOrigin(own.config, origin), id);
  return new Response(writeMetadata({ ...addresses, certificate, signs_requests, takes_encrypted }), {
    headers: {
      "content-type": "application/samlmetadata+xml",
      "content-disposition": 'attachment; filename="orrery-metadata.xml"',
      "cache-control": "no-store",
    },
  });
}
