import { sha256Hex } from "../../../lib/digest.ts";
import { minutes, seconds } from "../../../lib/duration.ts";
import { inventoryOf } from "../../../shared/agent-protocol/index.ts";
import type { Actor } from "../../actor.ts";
import type { NodeFacts } from "../../agents/live/index.ts";
import { narrow } from "../../data/tenant-db.ts";
import { byMember } from "../../event-meaning.ts";
import type { MembershipRow } from "../../people/tenants/index.ts";
import { type AuthorizationQuery, type ConsentInput, fail, type Preflight } from "./contract.ts";
import type { Needs } from "./needs.ts";
import { deleteOldCodes, insertCode } from "./store.ts";
import { assertEndsVisit } from "./visits.ts";

const CODE_BYTES = 32;
const CODE_MS = seconds(60);
/** A used code is remembered, so that its second use is noticed. */
const REMEMBERED_MS = minutes(60);

/** Throws `unknown_client`, `redirect_refused`, `sign_in_role`. */
function checkClient({ live }: Needs, actor: Actor, { client_id, redirect_uri }: AuthorizationQuery): NodeFacts {
  const node = live.fleetOf(actor).get(client_id);
  if (!node) throw fail("unknown_client", { id: client_id });
  const urls = inventoryOf.sign_in_urls(node.inventory) ?? [];
  if (!urls.includes(redirect_uri)) throw fail("redirect_refused", { id: client_id });
  if (actor.role === "org_teacher") throw fail("sign_in_role");
  return node;
}

/** Null only in the moment in which the member leaves. Throws `sign_in_role` then. */
async function ownMembership({ tenants }: Needs, { tenant_id, member_id }: Actor): Promise<MembershipRow> {
  const member = await tenants.findMembership(tenant_id, member_id);
  if (!member) throw fail("sign_in_role");
  return member;
}

/** What the consent screen shows. Throws `unknown_client`, `redirect_refused`, `sign_in_role`. */
export async function preflight(needs: Needs, actor: Actor, query: AuthorizationQuery): Promise<Preflight> {
  const { id, hostname } = checkClient(needs, actor, query);
  const { email, display_name, role, tenant_id, tenant_name } = await ownMembership(needs, actor);
  return {
    client: { id, hostname, redirect_host: new URL(query.redirect_uri).host },
    user: { email, display_name, role },
    workspace: { id: tenant_id, name: tenant_name },
  };
}

/** Where the browser goes on to. Everything is checked anew. Throws as `preflight`, and `visit_unsupported`. */
export async function answerConsent(
  needs: Needs,
  actor: Actor,
  ip: string,
  { approve, ...query }: ConsentInput,
): Promise<{ redirect_to: string }> {
  const { clock, ids } = needs;
  const node = checkClient(needs, actor, query);
  const back = new URL(query.redirect_uri);
  back.searchParams.set("state", query.state);
  if (!approve) {
    back.searchParams.set("error", "access_denied");
    return { redirect_to: back.href };
  }
  await assertEndsVisit(needs, node, actor);
  const code = ids.token(CODE_BYTES);
  const now = clock.now();
  await needs.system.by(actor).tx(async (tx) => {
    // Whoever ends all ways into the account ends this one too, or it is not made.
    await needs.tenants.lockAccount(tx, actor.account_id);
    const own = narrow(tx, actor.tenant_id);
    await deleteOldCodes(own, now - REMEMBERED_MS);
    await insertCode(own, {
      hash: sha256Hex(code),
      node_id: node.id,
      member_id: actor.member_id,
      redirect_uri: query.redirect_uri,
      code_challenge: query.code_challenge,
      created_at: now,
      expires_at: now + CODE_MS,
    });
    const told = { by: byMember(actor, ip), node_id: node.id, redirect_host: back.host };
    await needs.bus.emit(tx, "oauth.consent", told);
  });
  back.searchParams.set("code", code);
  return { redirect_to: back.href };
}
