import { sha256Hex } from "../../../lib/digest.ts";
import { hours } from "../../../lib/duration.ts";
import { createExpiringMap } from "../../../lib/expiring-map.ts";
import type { RegisterInput } from "../../../shared/agent-protocol/index.ts";
import { findToken } from "./enrolment-store.ts";
import type { Needs } from "./needs.ts";

/** A server that tried to register with a token of the workspace and was refused; `at` in milliseconds. */
export interface TurnedAway {
  at: number;
  hostname: string;
  address: string;
  code: string;
  message: string;
  /** The name of the token. */
  token: string;
}

const KEEP_MS = hours(1);
/** Of one workspace, and workspaces in all: what is told here is for whoever waits for a server at this moment. */
const MAX_EACH = 20;
const MAX_WORKSPACES = 1_000;

/** Refusals of the last hour by workspace, in memory. */
export function createTurnedAway({ system, clock }: Pick<Needs, "system" | "clock">) {
  const kept = createExpiringMap<TurnedAway[]>(clock, MAX_WORKSPACES);
  return {
    /** The newest first. */
    of: (tenantId: string): readonly TurnedAway[] =>
      (kept.get(tenantId) ?? []).filter(({ at }) => clock.now() - at < KEEP_MS),
    /** Keeps why somebody was refused, if they came with a token that the panel once made; one server is told once. */
    async note(
      input: RegisterInput,
      address: string,
      { code, message }: { code: string; message: string },
    ): Promise<void> {
      const token = await findToken(system, sha256Hex(input.registration_token));
      if (!token) return;
      const { hostname } = input;
      const others = (kept.get(token.tenant_id) ?? []).filter(
        (one) => one.hostname !== hostname || one.address !== address || one.code !== code,
      );
      const fresh = { at: clock.now(), hostname, address, code, message, token: token.name };
      kept.set(token.tenant_id, [fresh, ...others].slice(0, MAX_EACH), KEEP_MS);
    },
  };
}

export type TurnedAwayList = ReturnType<typeof createTurnedAway>;
