import { AppError, kernelFail } from "../../../kernel/http/errors.ts";
import { sha256Hex } from "../../../lib/digest.ts";
import type { SlotPath } from "../../../lib/fair-slots.ts";
import { agentFail } from "../../../shared/agent-protocol/index.ts";
import type { AgentHandlers } from "../agent-listener/index.ts";
import { type EnrolmentDeps, registerNode, renewNode } from "../enrolment/index.ts";
import type { Authority } from "../pki/index.ts";
import { enrolmentTransaction } from "./enrolment.ts";
import { findToken } from "./enrolment-store.ts";
import type { Issuance } from "./issuance.ts";
import { createLicenses } from "./license.ts";
import type { Own } from "./needs.ts";
import { changing, type OneByOne, registering } from "./one-by-one.ts";
import { createReceiver, type TakeHeartbeat } from "./receive-heartbeat.ts";
import type { Refusals } from "./refusals.ts";
import type { Signing } from "./signing.ts";
import type { TurnedAwayList } from "./turned-away.ts";

const BEHIND = "This panel cannot reach its database, or another one took it over. Try again in a minute.";

/** What nodes do that others want to know of; told once it is committed. */
export interface Heard {
  onEnrolled(nodeId: string, tenantId: string): void;
  onConnected(nodeId: string, tenantId: string): void;
  refusals: Refusals;
  issuance: Issuance;
  turnedAway: TurnedAwayList;
  oneByOne: OneByOne;
}

/** Makes what the agent port calls; heartbeats go on to `take`. */
export function createHandlers(
  own: Own & Heard,
  authority: () => Authority,
  signing: Signing,
): (take: TakeHeartbeat) => AgentHandlers {
  const { config, clock, ids, directory } = own;
  const place = config.public_url === "" ? {} : { panel_url: config.public_url };
  const licenses = createLicenses(own, signing);
  const enrolment = (whose: SlotPath): EnrolmentDeps => ({
    clock,
    ids,
    authority: authority(),
    transaction: (run) => own.oneByOne(whose, () => enrolmentTransaction(own, run)),
    revoke: directory.revoke,
    licenseToken: async (tenantId) => (await licenses.of(tenantId)).token,
  });
  return (take) => {
    const heartbeat = createReceiver({ ...own, authority, licenses }, take);
    const current = <A extends unknown[], T>(run: (...given: A) => Promise<T>) => {
      return async (...given: A): Promise<T> => {
        if (!own.isCurrent()) throw kernelFail("unavailable", { reason: BEHIND });
        return run(...given);
      };
    };
    return {
      register: current(async (input, from) => {
        try {
          // Whoever comes with what was never a token waits for no turn, and nobody for theirs.
          if (!(await findToken(own.system, sha256Hex(input.registration_token)))) throw agentFail("token_refused");
          return { ...(await registerNode(enrolment(registering(from.address)), input, from)), ...place };
        } catch (error) {
          if (error instanceof AppError) await own.turnedAway.note(input, from.address, error);
          throw error;
        }
      }),
      renew: current(async (input, node) => {
        own.issuance.take(node.tenantId, node.nodeId);
        return renewNode(enrolment(changing(node)), input, node);
      }),
      heartbeat: current(async (input, node) => ({ ...(await heartbeat(input, node)), ...place })),
    };
  };
}
