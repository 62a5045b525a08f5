import { sha256Hex } from "../../src/lib/digest.ts";
import { createIds } from "../../src/lib/ids.ts";
import type { AgentDirectory, AgentRecord } from "../../src/panel/agents/agent-listener/index.ts";
import type {
  EnrolledNode,
  EnrolmentDeps,
  EnrolmentEvent,
  EnrolmentTx,
  TokenGrant,
} from "../../src/panel/agents/enrolment/index.ts";
import type { Authority } from "../../src/panel/agents/pki/index.ts";
import { type Serials, useSerial } from "../../src/shared/agent-protocol/index.ts";
import { signWord } from "../../src/shared/panel-word/index.ts";
import type { FakeClock } from "./fake-clock.ts";

interface Token extends TokenGrant {
  uses: number;
  maxUses: number;
  expiresAt: number;
}

const serialsOf = ({ certificate, pending }: EnrolledNode): Serials => ({
  current: certificate.serial,
  next: pending?.serial ?? null,
});

type Row = EnrolledNode & { isDeleted: boolean };

/** A panel's tables in memory: one transaction at a time, taken back whole when it throws. */
export function createMemoryFleet(authority: Authority, clock: FakeClock) {
  const ids = createIds(clock.now);
  let nodes = new Map<string, Row>();
  let tokens = new Map<string, Token>();
  let events: EnrolmentEvent[] = [];
  const listeners = new Set<(nodeId: string) => void>();
  let queue: Promise<unknown> = Promise.resolve();
  const living = (nodeId: string): Row | null => [nodes.get(nodeId)].find((row) => row && !row.isDeleted) ?? null;

  const tx: EnrolmentTx = {
    takeToken: async (hash, now) => {
      const token = tokens.get(hash);
      if (!token || token.uses >= token.maxUses || token.expiresAt <= now) return null;
      tokens.set(hash, { ...token, uses: token.uses + 1 });
      return token;
    },
    findNode: async (nodeId) => living(nodeId),
    hasLookAlike: async (nodeId) =>
      [...nodes.values()].some(
        (row) => !row.isDeleted && row.nodeId !== nodeId && row.nodeId.toLowerCase() === nodeId.toLowerCase(),
      ),
    findKeyOwner: async (key) =>
      [...nodes.values()].find(({ certificate, pending, isDeleted }) =>
        [certificate, pending].some((held) => held?.keyFingerprint === key && !isDeleted),
      )?.nodeId ?? null,
    saveNode: async (node) => void nodes.set(node.nodeId, { ...node, isDeleted: false }),
    offerCertificate: async (nodeId, used, fresh) => {
      const row = living(nodeId);
      if (!row || !useSerial(serialsOf(row), used)) return false;
      const isPending = row.pending?.serial === used;
      nodes.set(nodeId, { ...row, certificate: isPending ? (row.pending ?? fresh) : row.certificate, pending: fresh });
      return true;
    },
    emit: async (event) => void events.push(event),
  };

  const deps: EnrolmentDeps = {
    authority,
    clock,
    ids,
    transaction: (run) => {
      const turn = queue.then(async () => {
        const before = { nodes: new Map(nodes), tokens: new Map(tokens), events: [...events] };
        try {
          return await run(tx);
        } catch (error) {
          ({ nodes, tokens, events } = before);
          throw error;
        }
      });
      queue = turn.catch(() => null);
      return turn;
    },
    revoke: (nodeId) => {
      for (const listener of listeners) listener(nodeId);
    },
    licenseToken: async (tenantId) => `license-${tenantId}`,
  };

  const directory: AgentDirectory = {
    find: (nodeId): AgentRecord | null => {
      const row = nodes.get(nodeId);
      return row ? { ...row, ...serialsOf(row) } : null;
    },
    testify: async ({ nodeId, serial }, reason) => {
      const row = nodes.get(nodeId);
      const isSo = reason === "deleted" ? row?.isDeleted : row && !useSerial(serialsOf(row), serial);
      return isSo ? signWord({ nodeId, serial }, reason, clock.now(), authority.issueSigner()) : null;
    },
    count: (tenantId) => [...nodes.values()].filter((row) => row.tenantId === tenantId && !row.isDeleted).length,
    activate: async (nodeId, serial) => {
      const row = nodes.get(nodeId);
      if (row?.pending?.serial === serial) nodes.set(nodeId, { ...row, certificate: row.pending, pending: null });
    },
    onRevoked: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };

  return {
    deps,
    directory,
    events: () => events,
    node: (nodeId: string) => nodes.get(nodeId) ?? null,
    nodes: () => [...nodes.values()],
    uses: (text: string) => tokens.get(sha256Hex(text))?.uses ?? 0,
    addToken(tenantId: string, { maxUses = 1, lifetimeMs = 3_600_000 } = {}): string {
      const text = ids.token(32);
      const grant = { tokenId: ids.next("tok"), tenantId, groupId: null, tags: [] };
      tokens.set(sha256Hex(text), { ...grant, uses: 0, maxUses, expiresAt: clock.now() + lifetimeMs });
      return text;
    },
    deleteNode(nodeId: string): void {
      const row = nodes.get(nodeId);
      if (row) nodes.set(nodeId, { ...row, isDeleted: true });
      deps.revoke(nodeId);
    },
  };
}
