import { toIso } from "../../../lib/clock.ts";
import { agentFail } from "../../../shared/agent-protocol/index.ts";
import type { SystemTx } from "../../data/tenant-db.ts";
import { byAgent } from "../../event-meaning.ts";
import { nodeLimitOf, planOf } from "../../plans.ts";
import type { EnrolledNode, EnrolmentEvent, EnrolmentTx, TokenGrant } from "../enrolment/index.ts";
import {
  findEnrolled,
  findKeyOwner,
  hasLookAlike,
  insertEnrolled,
  offerCertificate,
  takeToken,
  updateEnrolled,
} from "./enrolment-store.ts";
import { followNode } from "./follow.ts";
import type { Issuance } from "./issuance.ts";
import type { Own } from "./needs.ts";
import { lockCertificates } from "./node-store.ts";
import { recordNotice } from "./notice-store.ts";
import type { Refusals } from "./refusals.ts";

/** What enrolment in the tables stands on. */
export interface EnrolmentTables extends Omit<Own, "skews" | "forget"> {
  /** Told once it is committed. */
  onEnrolled(nodeId: string, tenantId: string): void;
  refusals: Refusals;
  issuance: Issuance;
}

/** A token that was refused, by its hash, and who came with it. */
interface Refused {
  hash: string;
  address: string;
}

/** Runs one enrolment or renewal in a transaction; they come one after another, whatever certificate they are about. */
export async function enrolmentTransaction<T>(deps: EnrolmentTables, run: (tx: EnrolmentTx) => Promise<T>): Promise<T> {
  const refused: Refused[] = [];
  try {
    return await deps.system.tx(async (tx) => {
      await lockCertificates(tx);
      return run(statementsOf(deps, tx, refused));
    });
  } catch (error) {
    // Written down apart: what was refused is taken back whole.
    for (const { hash, address } of refused) await deps.refusals.note(hash, address);
    throw error;
  }
}

function statementsOf(deps: EnrolmentTables, tx: SystemTx, refused: Refused[]): EnrolmentTx {
  const { seal, directory, issuance } = deps;

  return {
    async takeToken(hash, now, address) {
      const grant = await takeToken(tx, hash, now);
      if (!grant) refused.push({ hash, address });
      return grant;
    },
    findNode: (nodeId) => findEnrolled(tx, seal, nodeId),
    hasLookAlike: (nodeId) => hasLookAlike(tx, nodeId),
    findKeyOwner: (key) => findKeyOwner(tx, key),
    async saveNode(node, grant, address) {
      issuance.take(node.tenantId, node.nodeId);
      if (!(await updateEnrolled(tx, seal, node, address))) await insertNode(deps, tx, node, grant, address);
      await followNode(tx, directory, node.nodeId);
    },
    async offerCertificate(nodeId, usedSerial, fresh) {
      const tenantId = directory.find(nodeId)?.tenantId;
      const isOffered = await offerCertificate(tx, nodeId, usedSerial, fresh);
      if (isOffered) await followNode(tx, directory, nodeId);
      if (isOffered && tenantId !== undefined) {
        const expires_at = toIso(fresh.notAfter);
        await deps.bus.emit(tx, "agent.renew", { by: byAgent(tenantId, ""), node_id: nodeId, expires_at });
      }
      return isOffered;
    },
    async emit(event) {
      await recordEvent(deps, tx, event);
      const { nodeId, tenantId } = event.node;
      tx.afterCommit(() => deps.onEnrolled(nodeId, tenantId));
    },
  };
}

/** Throws `node_limit_reached`. */
async function insertNode(
  { seal, directory, clock, tenants }: EnrolmentTables,
  tx: SystemTx,
  node: EnrolledNode,
  grant: TokenGrant,
  address: string,
): Promise<void> {
  const plan = planOf((await tenants.findPlan(node.tenantId, tx)) ?? "free");
  const count = directory.count(node.tenantId);
  const limit = nodeLimitOf(plan);
  if (count >= limit) throw agentFail("node_limit_reached", { plan, limit, count });
  await insertEnrolled(tx, seal, node, grant, { address, now: clock.now() });
}

/** Whoever holds a token and knows an id can take a node's place, so a change of hardware is told apart. */
async function recordEvent(deps: EnrolmentTables, tx: SystemTx, event: EnrolmentEvent): Promise<void> {
  const { node, grant, address } = event;
  const by = byAgent(node.tenantId, address);
  const facts = { hostname: node.hostname, version: node.version, token_id: grant.tokenId };
  if (event.kind === "registered") {
    await deps.bus.emit(tx, "agent.register", { by, node_id: node.nodeId, ...facts });
    return;
  }
  const { hardware } = event;
  const isTakeover = hardware === "other_hardware_while_alive";
  const severity = isTakeover ? "critical" : "info";
  await deps.bus.emit(tx, "agent.reregister", { by, node_id: node.nodeId, ...facts, hardware, severity });
  const whose = { tenant_id: node.tenantId, node_id: node.nodeId, ip: address };
  if (hardware !== "same_hardware") await recordNotice({ ...deps, tx }, whose, isTakeover ? "taken_over" : "moved");
  if (isTakeover) tx.afterCommit(() => deps.log.warn("a node registered again from other hardware", whose));
}
