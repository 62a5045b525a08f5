import { X509Certificate } from "node:crypto";
import { seconds } from "../../../../lib/duration.ts";
import {
  AgentCallError,
  type AgentEndpoint,
  agentUrl,
  createAgentClient,
  fetchPinnedRoot,
  parseAgentUrl,
} from "../../../../shared/agent-client/index.ts";
import { pinOf, type RegisterOutput, renewalTime } from "../../../../shared/agent-protocol/index.ts";
import { verifyLicense } from "../../../../shared/license/index.ts";
import { fail } from "../contract.ts";
import { certificateEnd, makeKey, sealCredentials, sealSecret } from "../credentials.ts";
import { hardwareFingerprint } from "../fingerprint.ts";
import { findLink, type LinkRow, putLink } from "../link-store.ts";
import type { Needs } from "../needs.ts";
import { takePage } from "../panel-page.ts";
import type { ConnectLine } from "./connect-line.ts";
import { type EndDeps, endMembership } from "./end-membership.ts";

/** All that connecting needs. */
export type ConnectDeps = Pick<
  Needs,
  "db" | "seal" | "clock" | "ids" | "host" | "config" | "identity" | "version" | "random"
> &
  EndDeps;

/** Who asks: a user's id or `host`, and from where. */
export interface Asker {
  by: string;
  ip: string;
}

const CONNECT_MS = seconds(10);

/**
 * Registers this node with a panel and writes the link down; the running node, whichever process it is, takes it up within
 * a second. Throws `panel_connected`, `panel_refused`, `panel_unreachable`; then everything is as it was.
 */
export async function connectPanel(deps: ConnectDeps, line: ConnectLine, asker: Asker): Promise<LinkRow> {
  assertFree(deps);
  const endpoint = parseAgentUrl(line.panel);
  if (!endpoint) throw fail("panel_line_invalid", { reason: "--panel is no address" });
  const instanceId = deps.identity.id();
  const { key, csr } = makeKey(instanceId);
  const { reply, root, reached } = await explain(async () => register(deps, endpoint, line, { instanceId, csr }));
  const license = verifyLicense(reply.license_token, reply.ca_certificate, deps.clock.now());
  if (!license) throw fail("panel_refused", { reason: "its license cannot be verified; compare the clocks of both." });
  const end = certificateEnd(reply.signed_certificate);
  const met = { agent_url: agentUrl(endpoint), reached };
  const credentials = { current: { certificate: reply.signed_certificate, key }, pending: null };
  const row: LinkRow = {
    revision: deps.ids.next("link"),
    instance_id: instanceId,
    agent_url: met.agent_url,
    panel_url: reply.panel_url === undefined ? null : await takePage(reply.panel_url, met),
    tenant_id: license.tenantId,
    membership: deps.ids.next("mbr"),
    root,
    ca_bundle: reply.ca_certificate,
    credentials: sealCredentials(deps.seal, credentials),
    secret: sealSecret(deps.seal, reply.cp_node_secret),
    license_token: reply.license_token,
    certificate_end: end,
    renew_at: renewalTime(end, deps.random),
    ended: null,
    ended_reason: null,
    changed_by: asker.by,
    changed_from: asker.ip,
    changed_at: deps.clock.now(),
    announced: 0,
    last_heartbeat_at: null,
  };
  deps.db.tx(() => {
    // Two people may have pasted their lines at once; the later answer must not undo the earlier one.
    assertFree(deps);
    const former = findLink(deps.db);
    if (former && isSame(former, row)) row.membership = former.membership;
    else if (former) {
      const { agent_url: panel, membership } = former;
      endMembership(deps, { panel, ...asker, membership, goesOn: row.membership });
    }
    putLink(deps.db, row);
  });
  return row;
}

/**
 * Whether a link is to the panel and the workspace of before: both proved themselves by a key of one root as they were connected. Which
 * other roots the former one called its own does not count, for it may name any that it has seen.
 */
function isSame(former: LinkRow, { tenant_id, root }: LinkRow): boolean {
  if (former.tenant_id !== tenant_id || former.root === null || root === null) return false;
  return pinOf(new X509Certificate(former.root)) === pinOf(new X509Certificate(root));
}

/** Only a living link is in the way: one that needs a new token is connected anew over itself. */
function assertFree({ db }: Pick<ConnectDeps, "db">): void {
  const link = findLink(db);
  if (link && link.ended === null) throw fail("panel_connected");
}

async function register(
  deps: ConnectDeps,
  endpoint: AgentEndpoint,
  { token, pin }: ConnectLine,
  { instanceId, csr }: { instanceId: string; csr: string },
): Promise<{ reply: RegisterOutput; root: string; reached: string | null }> {
  const root = await fetchPinnedRoot(deps.clock, endpoint, pin, CONNECT_MS);
  const client = createAgentClient(deps.clock, endpoint, { ca: root, credential: null });
  try {
    const reply = await client.register({
      registration_token: token,
      instance_id: instanceId,
      hostname: deps.identity.name(),
      version: deps.version,
      csr,
      hardware_fingerprint: hardwareFingerprint(deps),
    });
    assertReadable(reply);
    return { reply, root, reached: client.reached() };
  } finally {
    client.close();
  }
}

/** Throws `AgentCallError` for an answer whose certificates are none. */
function assertReadable({ signed_certificate, ca_certificate }: RegisterOutput): void {
  try {
    new X509Certificate(signed_certificate);
    new X509Certificate(ca_certificate);
  } catch {
    throw new AgentCallError("garbled", "The panel's answer carries no certificate.");
  }
}

async function explain<T>(run: () => Promise<T>): Promise<T> {
  try {
    return await run();
  } catch (error) {
    if (!(error instanceof AgentCallError)) throw error;
    const isAway = error.kind === "unreachable" || error.kind === "dropped";
    throw fail(isAway ? "panel_unreachable" : "panel_refused", { reason: error.message });
  }
}
