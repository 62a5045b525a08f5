import { OutgoingError } from "../../../../kernel/outgoing/index.ts";
import { days } from "../../../../lib/duration.ts";
import { byOperator } from "../../../event-meaning.ts";
import { fail, METADATA_MAX, type MetadataInput } from "../contract.ts";
import { checkIssuer } from "../issuer.ts";
import type { Own } from "../needs.ts";
import { type ConnectorRow, findConnector, listMetadataDue, updateConnector } from "../store.ts";
import { fingerprintOf, presentCertificate } from "./certificates.ts";
import { type ProviderDescription, readMetadata } from "./provider-metadata.ts";
import { readSettings, type SamlSettings } from "./settings.ts";

const TIMEOUT_MS = 15_000;
const CHECK_MS = days(1);
const CHECKED_AT_ONCE = 50;

/** Fetches metadata by the guarded client. Throws `issuer_unusable`, `metadata_unreachable`, `metadata_unusable`. */
async function fetchMetadata(
  { outgoing }: Pick<Own, "outgoing">,
  asker: string,
  url: string,
): Promise<ProviderDescription> {
  checkIssuer(outgoing, url, "metadata_url");
  const headers = { accept: "application/samlmetadata+xml, application/xml, text/xml" };
  try {
    const asked = { method: "GET", url, headers, asker, timeoutMs: TIMEOUT_MS, maxReplyBytes: METADATA_MAX };
    const { status, body } = await outgoing.request(asked);
    if (status !== 200) throw fail("metadata_unreachable", { field: "metadata_url", reason: `it answered ${status}.` });
    return readMetadata(body);
  } catch (error) {
    if (!(error instanceof OutgoingError)) throw error;
    throw fail("metadata_unreachable", { field: "metadata_url", reason: error.message });
  }
}

/** What a provider's metadata says, given to a workspace as text or by its address. */
export async function describeProvider(own: Own, tenant_id: string, { metadata, url }: MetadataInput) {
  if ((metadata === undefined) === (url === undefined))
    throw fail("metadata_unusable", { field: "metadata", reason: "give either its text or its address." });
  const found = url === undefined ? readMetadata(metadata ?? "") : await fetchMetadata(own, tenant_id, url);
  const now = own.clock.now();
  return { ...found, certificates: found.certificates.map((pem) => presentCertificate(pem, now)) };
}

/** Keeps what a look at the metadata found, unless the connector is another one by now. */
async function keep(own: Own, asked: ConnectorRow, change: (now: SamlSettings) => SamlSettings): Promise<void> {
  await own.system.tx(async (tx) => {
    await own.tenants.lockMembers(tx, asked.tenant_id);
    const row = await findConnector(tx, asked.tenant_id, asked.id);
    const before = row && readSettings(row.saml);
    if (!row || !before || row.version !== asked.version) return;
    if (before.metadata_url !== readSettings(asked.saml)?.metadata_url) return;
    const now = own.clock.now();
    const after = { ...change(before), checked_at: now };
    await updateConnector(tx, { ...row, saml: JSON.stringify(after), metadata_due: now + CHECK_MS });
    if (before.certificates.join() === after.certificates.join()) return;
    await own.bus.emit(tx, "sso.certificates_change", {
      ...{ by: byOperator(row.tenant_id), connector_id: row.id, name: row.name },
      certificates: after.certificates.map(fingerprintOf),
    });
  });
}

/**
 * Looks once a day at the metadata of providers whose address is known, and believes the certificates that stand there: whoever
 * has the say there is the provider. One that calls itself otherwise, or says nothing that can be read, changes nothing.
 */
export async function checkMetadata(own: Own): Promise<void> {
  for (const row of await listMetadataDue(own.system, own.clock.now(), CHECKED_AT_ONCE)) {
    const url = readSettings(row.saml)?.metadata_url ?? null;
    if (url === null) continue;
    try {
      const { issuer, certificates } = await fetchMetadata(own, row.tenant_id, url);
      const isIts = issuer === row.issuer;
      const problem = isIts ? null : `It is of another provider, which calls itself ${issuer.slice(0, 200)}.`;
      await keep(own, row, (settings) => ({ ...settings, ...(isIts ? { certificates } : {}), problem }));
    } catch (error) {
      own.log.warn("the metadata of a provider could not be read", { connector: row.id, error });
      const problem = error instanceof Error ? error.message.slice(0, 300) : "It could not be read.";
      await keep(own, row, (settings) => ({ ...settings, problem }));
    }
  }
}
