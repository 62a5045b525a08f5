import { networkOf } from "../../../kernel/http/peer.ts";
import type { Clock } from "../../../lib/clock.ts";
import { createFairSlots, type FairSlots, type SlotPath } from "../../../lib/fair-slots.ts";

/**
 * Runs what changes certificates one after another, as the tables want it anyway: whoever waited for that there would hold a connection,
 * and there are few. All workspaces have the same share, and so have the networks that new nodes come from.
 */
export type OneByOne = FairSlots;

/** The group of those who register: whose they are is known once their token was read. */
const NEW = "";
/** They are of any number of workspaces. */
const NEW_WEIGHT = 4;

export const createOneByOne = (clock: Pick<Clock, "monotonic">): OneByOne =>
  createFairSlots(clock, { size: 1, spare: 0, weightOf: (group) => (group === NEW ? NEW_WEIGHT : 1) });

/** For whom a node that has a certificate changes it. */
export const changing = ({ tenantId, nodeId }: { tenantId: string; nodeId: string }): SlotPath => [tenantId, nodeId];

/** For whom a node registers. */
export const registering = (address: string): SlotPath => [NEW, networkOf(address)];
