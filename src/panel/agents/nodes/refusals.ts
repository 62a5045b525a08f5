import { hours } from "../../../lib/duration.ts";
import { createExpiringMap } from "../../../lib/expiring-map.ts";
import { byVisitor } from "../../event-meaning.ts";
import { type FoundToken, findToken } from "./enrolment-store.ts";
import type { Needs } from "./needs.ts";

/** Somebody who holds a token that is used up could fill the log with it. */
const ONCE_IN_MS = hours(1);
const MAX_TOKENS = 10_000;

function reasonOf({ expires_at, revoked_at, uses, max_uses }: FoundToken, now: number) {
  if (revoked_at !== null) return "revoked" as const;
  if (expires_at <= now) return "expired" as const;
  return uses < max_uses ? ("maker_gone" as const) : ("used_up" as const);
}

/** Writes down that tokens were refused. */
export interface Refusals {
  /** For a token of a workspace, by its SHA-256 as hex; once an hour for each. Does nothing for any other. */
  note(hash: string, address: string): Promise<void>;
}

/** What nobody made is no workspace's; it is only counted where requests are. */
export function createRefusals({ system, bus, clock }: Pick<Needs, "system" | "bus" | "clock">): Refusals {
  const noted = createExpiringMap<true>(clock, MAX_TOKENS);
  return {
    async note(hash, address) {
      if (noted.get(hash)) return;
      noted.set(hash, true, ONCE_IN_MS);
      await system.tx(async (tx) => {
        const token = await findToken(tx, hash);
        if (!token) return;
        const reason = reasonOf(token, clock.now());
        const by = byVisitor(token.tenant_id, address);
        await bus.emit(tx, "agent.token_refused", { by, token_id: token.id, name: token.name, reason });
      });
    },
  };
}
