/** Nodes: the servers of every workspace, their certificates, and the tokens that enrol them. */
import { defineFeature, type Part } from "../../../kernel/feature.ts";
import { hours } from "../../../lib/duration.ts";
import type { SystemTx, TenantTx } from "../../data/tenant-db.ts";
import type { AgentHandlers } from "../agent-listener/index.ts";
import type { Authority } from "../pki/index.ts";
import { openNodeAuthority } from "./authority.ts";
import { createClockSkews } from "./clock-skews.ts";
import { createDirectory, type NodeDirectory } from "./directory.ts";
import { findSecret } from "./enrolment-store.ts";
import { nodeMeanings } from "./events.ts";
import { followNode } from "./follow.ts";
import { forgetDeleted } from "./forget-deleted-store.ts";
import { selectGroupName } from "./group-store.ts";
import { createHandlers } from "./handlers.ts";
import { createIssuance } from "./issuance.ts";
import init from "./migrations/0001_nodes.sql" with { type: "text" };
import notices from "./migrations/0002_node_notices.sql" with { type: "text" };
import revokedTokens from "./migrations/0003_revoked_tokens.sql" with { type: "text" };
import idsAlike from "./migrations/0004_ids_alike.sql" with { type: "text" };
import forgottenReports from "./migrations/0005_forgotten_reports.sql" with { type: "text" };
import deleted from "./migrations/0006_deleted.sql" with { type: "text" };
import type { Needs } from "./needs.ts";
import {
  activateCertificate,
  countLiving,
  countNodes,
  countServed,
  deleteNode,
  listNodeRows,
  lockCertificates,
  lockNode,
  releaseClient,
  selectNodeName,
} from "./node-store.ts";
import { changing, createOneByOne } from "./one-by-one.ts";
import type { TakeHeartbeat } from "./receive-heartbeat.ts";
import { createRefusals } from "./refusals.ts";
import { renameClient } from "./rename-client.ts";
import { createSigning } from "./signing.ts";
import { createTestimonies } from "./testify.ts";
import { countAllTokens, endAllTokens, selectTokenName } from "./token-store.ts";
import { createTurnedAway, type TurnedAway } from "./turned-away.ts";

export { type Assigned, lockAssigned, updateAssigned } from "./assigned-store.ts";
export {
  countGroups,
  deleteGroup,
  findGroup,
  type GroupRow,
  insertGroup,
  isNameTaken,
  listGroups,
  lockGroup,
  updateGroup,
} from "./group-store.ts";
export { deleteNotice, listNotices } from "./notice-store.ts";
export { countTokens, endToken, endTokens, insertToken, listTokens, pruneTokens } from "./token-store.ts";

export const nodesFeature = defineFeature({
  name: "nodes",
  migrations: [init, notices, revokedTokens, idsAlike, forgottenReports, deleted],
  events: nodeMeanings,
});

/** What happened to a node; told once it is committed. */
export interface NodeChange {
  kind: "enrolled" | "connected" | "deleted";
  node_id: string;
  tenant_id: string;
}

/** The nodes of every workspace: who they are, and how they become part of one. */
export interface Nodes extends Part {
  directory: NodeDirectory;
  /** The panel's certificate authority. Throws before `start`. */
  authority(): Authority;
  /** Reads the authority alone; for those who work beside a running panel. */
  openAuthority(): Promise<Authority>;
  /** Reads the authority and the nodes; on the first start the authority is made. */
  start(): Promise<void>;
  /** What the agent port calls; heartbeats go on to `take`. */
  handlers(take: TakeHeartbeat): AgentHandlers;
  /** Does what is due about the authority; true when the agent port must take it up. */
  rotate(): Promise<boolean>;
  /** Servers that came with a token of the workspace in the last hour and were refused, the newest first. */
  turnedAway(tenantId: string): readonly TurnedAway[];
  /** How far a node's clock is ahead, milliseconds; null when it is right, or not known since the start. */
  clockAhead(nodeId: string): number | null;
  /** The secret that a node of a workspace shares with the panel; null when there is no such node. */
  secretOf(tenantId: string, nodeId: string): Promise<string | null>;
  /**
   * Deletes a node of the workspace in the caller's transaction and cuts it off once that is committed; gives its host name, or
   * null when there is none.
   */
  deleteNode(tx: TenantTx, nodeId: string): Promise<string | null>;
  /** Returns how to stop listening. */
  onChange(listener: (change: NodeChange) => void): () => void;
}

const PAGE = 1_000;

/** Knows of no node before `start`. */
export function createNodes(needs: Needs): Nodes {
  const { system, clock, seal } = needs;
  const listeners = new Set<(change: NodeChange) => void>();
  const skews = createClockSkews(clock);
  const oneByOne = createOneByOne(clock);
  let opened: Authority | null = null;

  function authority(): Authority {
    if (!opened) throw new Error("the certificate authority is not open yet");
    return opened;
  }

  const tell = (kind: NodeChange["kind"]) => (node_id: string, tenant_id: string) => {
    for (const listener of listeners) listener({ kind, node_id, tenant_id });
  };

  const signing = createSigning(clock, authority);
  /** Changes something about a node's certificates, or nothing, and lets memory have it as it is then. */
  const settle = (nodeId: string, change: (tx: SystemTx) => Promise<void>) =>
    oneByOne(changing({ nodeId, tenantId: directory.find(nodeId)?.tenantId ?? "" }), () =>
      system.tx(async (tx) => {
        await lockCertificates(tx);
        await change(tx);
        await followNode(tx, directory, nodeId);
      }),
    );
  const directory: NodeDirectory = createDirectory(needs.live, {
    activate: (nodeId, serial) => settle(nodeId, (tx) => activateCertificate(tx, nodeId, serial)),
    follow: (nodeId) => settle(nodeId, (tx) => lockNode(tx, nodeId)),
    testify: createTestimonies(needs, signing.signer),
  });

  function forget(nodeId: string, tenantId: string): void {
    directory.remove(nodeId, tenantId);
    skews.forget(nodeId);
    tell("deleted")(nodeId, tenantId);
  }

  needs.lists.names.add({ kind: "node", select: selectNodeName, isSearched: true });
  needs.lists.names.add({ kind: "group", select: selectGroupName, isSearched: false });
  needs.lists.names.add({ kind: "token", select: selectTokenName, isSearched: false });
  needs.lists.admissions.add({
    words: ["enrolment token", "enrolment tokens"],
    asked: null,
    count: countAllTokens,
    end: endAllTokens,
  });
  needs.lists.holdings.add({
    name: "nodes",
    count: countNodes,
    // Whoever enrols holds the same until they have: before the mark, and are counted, or after it, and have no token any more.
    keepStill: lockCertificates,
    forget(tenantId) {
      for (const { id } of [...needs.live.of(tenantId).nodes()]) forget(id, tenantId);
    },
  });
  needs.lists.holdings.add({
    name: "served",
    count: countServed,
    release: releaseClient,
    rename: (client) => renameClient(needs, client),
  });
  const turnedAway = createTurnedAway(needs);
  const refusals = createRefusals(needs);
  const issuance = createIssuance(clock);
  const heard = {
    onEnrolled: tell("enrolled"),
    onConnected: tell("connected"),
    refusals,
    issuance,
    turnedAway,
    oneByOne,
  };
  return {
    feature: nodesFeature,
    jobs: [{ name: "nodes.forget", everyMs: hours(1), run: (signal) => forgetDeleted(needs, signal) }],
    directory,
    authority,
    openAuthority: () => openNodeAuthority(needs),
    async start() {
      opened = await openNodeAuthority(needs);
      let after = 0;
      while (true) {
        const rows = await listNodeRows(system, after, PAGE);
        for (const row of rows) directory.put(row);
        after = rows.at(-1)?.no ?? 0;
        if (rows.length < PAGE) return;
      }
    },
    handlers: createHandlers({ ...needs, ...heard, directory, skews, forget }, authority, signing),
    async rotate() {
      const rotation = authority().rotation();
      const issuer = rotation.phase === "steady" ? "" : rotation.other;
      const { id: bundleId } = authority().bundle();
      const counts = await countLiving(system, { now: clock.now(), bundleId, issuer });
      const informedShare = counts.living === 0 ? 1 : counts.informed / counts.living;
      return authority().rotate({ informedShare, nodesOnOther: counts.on_issuer });
    },
    turnedAway: turnedAway.of,
    clockAhead: skews.of,
    secretOf: (tenantId, nodeId) => findSecret(system, seal, tenantId, nodeId),
    async deleteNode(tx, nodeId) {
      const reading = directory.reading(nodeId);
      tx.afterEnd(reading.end);
      const hostname = await deleteNode(tx, nodeId, clock.now());
      if (hostname !== null) tx.afterCommit(() => forget(nodeId, tx.tenant_id));
      // Deleted before, when the database went away with its answer to the commit; and not enrolled since.
      else if (directory.find(nodeId)?.tenantId === tx.tenant_id && !reading.isStale()) forget(nodeId, tx.tenant_id);
      return hostname;
    },
    onChange(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}
