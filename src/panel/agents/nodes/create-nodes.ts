import type { Seal } from "../../../kernel/seal.ts";
import type { PanelContext } from "../../context.ts";
import type { Tenants } from "../../people/tenants/index.ts";
import type { AgentHandlers } from "../agent-listener/index.ts";
import { type EnrolmentDeps, registerNode, renewNode } from "../enrolment/index.ts";
import type { LiveStore } from "../live/index.ts";
import { type Authority, openAuthority } from "../pki/index.ts";
import { createAuthorityStore } from "./authority-store.ts";
import { createClockSkews } from "./clock-skews.ts";
import { createDirectory, type NodeDirectory } from "./directory.ts";
import { enrolmentTransaction } from "./enrolment.ts";
import { findSecret } from "./enrolment-store.ts";
import { createLicenses } from "./license.ts";
import { activateCertificate, countLiving, findNodeRow, listNodeRows, lockCertificates } from "./node-store.ts";
import { createReceiver, type TakeHeartbeat } from "./receive-heartbeat.ts";

/** What happened to a node; told once it is committed. */
export interface NodeChange {
  kind: "enrolled" | "connected" | "deleted";
  node_id: string;
  tenant_id: string;
}

/** The nodes of every workspace: who they are, and how they become part of one. */
export interface Nodes {
  directory: NodeDirectory;
  /** The panel's certificate authority. Throws before `open`. */
  authority(): Authority;
  /** Reads the authority and the nodes; on the first start the authority is made. */
  open(): Promise<void>;
  /** What the agent port calls; heartbeats go on to `take`. */
  handlers(take: TakeHeartbeat): AgentHandlers;
  /** Does what is due about the authority; true when the agent port must take it up. */
  rotate(): Promise<boolean>;
  /** How far a node's clock is ahead, milliseconds; null when it is right, or not known since the start. */
  clockAhead(nodeId: string): number | null;
  /** The secret that a node of a workspace shares with the panel; null when there is no such node. */
  secretOf(tenantId: string, nodeId: string): Promise<string | null>;
  /** A node of the workspace was deleted, and that is committed: cuts it off. */
  forget(nodeId: string, tenantId: string): void;
  /** Returns how to stop listening. */
  onChange(listener: (change: NodeChange) => void): () => void;
}

const PAGE = 1_000;

export interface NodesDeps extends Pick<PanelContext, "system" | "clock" | "ids" | "log" | "bus"> {
  tenants: Pick<Tenants, "findPlan">;
  seal: Seal;
  /** Where people reach the panel, told to nodes; empty or left out when it does not know. */
  publicUrl?: string;
  /** Kept in step with the directory. */
  live: Pick<LiveStore, "put" | "remove">;
}

/** The certificate authority in the tables; made on the first start. Throws when it was sealed under another key. */
export function openNodeAuthority(deps: Pick<NodesDeps, "system" | "seal" | "clock" | "ids">): Promise<Authority> {
  return openAuthority({ ...deps, store: createAuthorityStore(deps.system) });
}

/** Not yet open. */
export function createNodes(deps: NodesDeps): Nodes {
  const { system, clock, seal } = deps;
  const listeners = new Set<(change: NodeChange) => void>();
  const skews = createClockSkews(clock);
  let opened: Authority | null = null;

  function authority(): Authority {
    if (!opened) throw new Error("the certificate authority is not open yet");
    return opened;
  }

  function tell(change: NodeChange): void {
    for (const listener of listeners) listener(change);
  }

  const directory = createDirectory(deps.live, (nodeId, serial) =>
    system.tx(async (tx) => {
      await lockCertificates(tx);
      return (await activateCertificate(tx, nodeId, serial)) ? findNodeRow(tx, nodeId) : null;
    }),
  );
  const place = deps.publicUrl ? { panel_url: deps.publicUrl } : {};
  const licenses = createLicenses(deps, authority);
  const onEnrolled = (node_id: string, tenant_id: string) => tell({ kind: "enrolled", node_id, tenant_id });
  const onConnected = (node_id: string, tenant_id: string) => tell({ kind: "connected", node_id, tenant_id });
  const enrolment = (): EnrolmentDeps => ({
    ...deps,
    authority: authority(),
    transaction: (run) => enrolmentTransaction({ ...deps, directory, onEnrolled }, run),
    revoke: directory.revoke,
    licenseToken: async (tenantId) => (await licenses.of(tenantId)).token,
  });

  return {
    directory,
    authority,
    async open() {
      opened = await openNodeAuthority(deps);
      let after = 0;
      while (true) {
        const rows = await listNodeRows(system, after, PAGE);
        for (const row of rows) directory.put(row);
        after = rows.at(-1)?.no ?? 0;
        if (rows.length < PAGE) return;
      }
    },
    handlers(take) {
      const heartbeat = createReceiver({ ...deps, directory, authority, licenses, skews, onConnected }, take);
      return {
        register: async (input, from) => ({ ...(await registerNode(enrolment(), input, from)), ...place }),
        renew: (input, node) => renewNode(enrolment(), input, node),
        heartbeat: async (input, node) => ({ ...(await heartbeat(input, node)), ...place }),
      };
    },
    async rotate() {
      const rotation = authority().rotation();
      const issuer = rotation.phase === "steady" ? "" : rotation.other;
      const { id: bundleId } = authority().bundle();
      const counts = await countLiving(system, { now: clock.now(), bundleId, issuer });
      const informedShare = counts.living === 0 ? 1 : counts.informed / counts.living;
      return authority().rotate({ informedShare, nodesOnOther: counts.on_issuer });
    },
    clockAhead: skews.of,
    secretOf: (tenantId, nodeId) => findSecret(system, seal, tenantId, nodeId),
    forget(nodeId, tenantId) {
      directory.remove(nodeId);
      skews.forget(nodeId);
      tell({ kind: "deleted", node_id: nodeId, tenant_id: tenantId });
    },
    onChange(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}
