import { AppError } from "../../../kernel/http/errors.ts";
import type { AgentHandlers } from "../agent-listener/index.ts";
import { type EnrolmentDeps, registerNode, renewNode } from "../enrolment/index.ts";
import type { Authority } from "../pki/index.ts";
import { enrolmentTransaction } from "./enrolment.ts";
import { createLicenses } from "./license.ts";
import type { Own } from "./needs.ts";
import { createReceiver, type TakeHeartbeat } from "./receive-heartbeat.ts";
import type { TurnedAwayList } from "./turned-away.ts";

/** What nodes do that others want to know of; told once it is committed. */
export interface Heard {
  onEnrolled(nodeId: string, tenantId: string): void;
  onConnected(nodeId: string, tenantId: string): void;
  turnedAway: TurnedAwayList;
}

/** Makes what the agent port calls; heartbeats go on to `take`. */
export function createHandlers(own: Own & Heard, authority: () => Authority): (take: TakeHeartbeat) => AgentHandlers {
  const { config, clock, ids, directory } = own;
  const place = config.public_url === "" ? {} : { panel_url: config.public_url };
  const licenses = createLicenses(own, authority);
  const enrolment = (): EnrolmentDeps => ({
    clock,
    ids,
    authority: authority(),
    transaction: (run) => enrolmentTransaction(own, run),
    revoke: directory.revoke,
    licenseToken: async (tenantId) => (await licenses.of(tenantId)).token,
  });
  return (take) => {
    const heartbeat = createReceiver({ ...own, authority, licenses }, take);
    return {
      register: async (input, from) => {
        try {
          return { ...(await registerNode(enrolment(), input, from)), ...place };
        } catch (error) {
          if (error instanceof AppError) await own.turnedAway.note(input, from.address, error);
          throw error;
        }
      },
      renew: (input, node) => renewNode(enrolment(), input, node),
      heartbeat: async (input, node) => ({ ...(await heartbeat(input, node)), ...place }),
    };
  };
}
