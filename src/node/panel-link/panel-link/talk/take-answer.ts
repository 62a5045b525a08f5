import { minutes } from "../../../../lib/duration.ts";
import { confirmCredential, type HeartbeatOutput } from "../../../../shared/agent-protocol/index.ts";
import { verifyLicense } from "../../../../shared/license/index.ts";
import { acceptCommands } from "../commands/accept.ts";
import type { LinkRow } from "../link-store.ts";
import type { Own } from "../needs.ts";
import { type HeldLink, isBundle } from "./held-link.ts";

type Deps = Pick<Own, "db" | "clock" | "log" | "bus" | "plan" | "standing" | "commandPace">;

/** How exactly the last heartbeat is known after a restart. */
const CHECKPOINT_MS = minutes(1);

/**
 * Writes down what an answer to a heartbeat brought, all of it or nothing. Returns whether certificates or roots changed, so
 * that the next call has to show others. `page` is another origin of its pages, null for the one that is known. Throws `LinkChanged`.
 */
export function takeAnswer(
  deps: Deps,
  link: HeldLink,
  reply: HeartbeatOutput,
  page: string | null,
): { isTrustNew: boolean } {
  const { db, clock, bus } = deps;
  const before = deps.plan();
  const change: Partial<LinkRow> = { ...bundleOf(deps, link, reply), ...(page === null ? {} : { panel_url: page }) };
  const bundle = change.ca_bundle ?? link.row().ca_bundle;
  Object.assign(change, licenseOf(deps, link, reply, bundle));
  const isConfirmed = link.credentials().pending !== null && !link.isOnFormer();
  const { last_heartbeat_at } = link.row();
  const isDue = last_heartbeat_at === null || clock.now() - last_heartbeat_at >= CHECKPOINT_MS;
  db.tx(() => {
    if (isDue || isConfirmed || Object.keys(change).length > 0) {
      const noted = { ...change, last_heartbeat_at: clock.now() };
      if (isConfirmed) link.hold(confirmCredential(link.credentials()), noted);
      else link.save(noted);
    }
    acceptCommands(deps, link.row().membership, reply.commands);
    const plan = deps.plan();
    if (plan !== before) bus.emit("panel.plan_changed", { plan, before, ip: "" });
  });
  return { isTrustNew: change.ca_bundle !== undefined };
}

function bundleOf({ log }: Deps, link: HeldLink, { ca_certificate }: HeartbeatOutput): Partial<LinkRow> {
  if (ca_certificate === undefined || ca_certificate === link.row().ca_bundle) return {};
  if (isBundle(ca_certificate)) return { ca_bundle: ca_certificate };
  log.warn("the panel sent roots that cannot be used; the former ones stay", {});
  return {};
}

/** Only a license that holds, of our own workspace, takes the place of the one we have. */
function licenseOf(deps: Deps, link: HeldLink, { license_token: token }: HeartbeatOutput, bundle: string) {
  if (token === undefined || token === link.row().license_token) return {};
  const license = verifyLicense(token, bundle, deps.clock.now());
  if (license?.tenantId === link.row().tenant_id) return { license_token: token };
  deps.log.warn("the panel sent a license that cannot be verified; the former one stays", {});
  return {};
}
