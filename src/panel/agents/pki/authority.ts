import { type KeyObject, X509Certificate } from "node:crypto";
import type { Seal } from "../../../kernel/seal.ts";
import { bundleId, pinOf } from "../../../shared/agent-protocol/index.ts";
import { makeCertificate, type Signer } from "./certificate.ts";
import { CLIENT_BACKDATE_MS, LEAF_LIFETIME_MS, TRUSTED_BACKDATE_MS } from "./lifetimes.ts";
import { type AuthorityDeps, type AuthorityRecord, loadOrCreate, parseRecord } from "./record.ts";
import {
  applyRotation,
  decideRotation,
  type RotationAction,
  type RotationFacts,
  requestRotation,
  rollBackRotation,
  type SlotTimes,
  trustedSlots,
} from "./rotation.ts";
import {
  exportKey,
  intermediateSigner,
  makeIntermediateSlot,
  makeKey,
  makeRootSlot,
  type Slot,
  timesOf,
} from "./slot.ts";

/** Whom a client certificate names; the ids come from the panel's rows, never from a request. */
export interface ClientSubject {
  tenantId: string;
  nodeId: string;
  publicKey: Uint8Array;
}

export interface IssuedClient {
  /** Leaf and intermediate, PEM. */
  chain: string;
  serial: string;
  /** The slot that signed it. */
  issuer: string;
  notAfter: number;
}

export interface IssuedServer {
  key: string;
  /** Leaf, intermediate, root; between two roots the new one signed by the old. */
  chain: string;
  notAfter: number;
}

/** A key that signs licenses. */
export interface IssuedSigner {
  key: KeyObject;
  /** Leaf, intermediate, root; between two roots the new one signed by the old. */
  chain: string;
  /** The slot that signed it. */
  issuer: string;
  notAfter: number;
}

/** The panel's own certificate authority. */
export interface Authority {
  issueClient(subject: ClientSubject): IssuedClient;
  /** A fresh key and certificate for the agent port. `names` are host names and addresses. */
  issueServer(names: readonly string[]): IssuedServer;
  /** A fresh key for licenses, and its certificate. */
  issueSigner(): IssuedSigner;
  /** The roots that nodes must trust (PEM), and the short name of this set. */
  bundle(): { pem: string; id: string };
  /** Everything that a client's chain may end in or pass through, for the TLS context. */
  trusted(): string[];
  /** The pin of the root that the served chain ends in: the one every node of the fleet knows. */
  pin(): string;
  rotation(): AuthorityRecord["rotation"];
  /** Takes over what somebody did beside this program; true when the TLS context must be made anew. */
  refresh(): Promise<boolean>;
  /** Does what is due, or takes over what another replica did; true when the TLS context must be made anew. */
  rotate(facts: RotationFacts): Promise<boolean>;
  /** Begins a change by hand; false while another one runs. */
  beginRotation(what: "root" | "intermediate"): Promise<boolean>;
  /** Takes a running change back; false when there is none. */
  rollBack(): Promise<boolean>;
}

/** Opens the authority; on the first start it is made. Throws when it was sealed under another key. */
export async function openAuthority(deps: AuthorityDeps): Promise<Authority> {
  const { store, seal, clock, ids } = deps;
  let { record, version } = await loadOrCreate(deps);
  let signing = openSigning(record, seal);

  function adopt(next: AuthorityRecord, nextVersion: number): void {
    record = next;
    version = nextVersion;
    signing = openSigning(record, seal);
  }

  /** Saves a change made to what we know; when another replica was first, takes over what it did instead. */
  async function commit(next: AuthorityRecord): Promise<boolean> {
    const isSaved = await store.save(JSON.stringify(next), version);
    if (isSaved) adopt(next, version + 1);
    else await refresh();
    return isSaved;
  }

  async function refresh(): Promise<boolean> {
    const stored = await store.load();
    if (!stored || stored.version === version) return false;
    adopt(parseRecord(stored.text), stored.version);
    return true;
  }

  function withAction(action: RotationAction): AuthorityRecord {
    const now = clock.now();
    const former = signing.slot;
    if (action.kind !== "prepare")
      return prune({ ...record, rotation: applyRotation(record.rotation, action, "", now) });
    const id = ids.next("ca");
    const fresh =
      action.what === "root" ? makeRootSlot(id, seal, now, former) : makeIntermediateSlot(id, seal, now, former);
    return { slots: [...record.slots, fresh], rotation: applyRotation(record.rotation, action, id, now) };
  }

  return {
    issueClient({ tenantId, nodeId, publicKey }) {
      const now = clock.now();
      const { slot, signer, times } = signing;
      const uri = `orrery://panel/tenant/${encodeURIComponent(tenantId)}/node/${encodeURIComponent(nodeId)}`;
      const notAfter = leafEnd(times, now);
      const validity = { notBefore: now - CLIENT_BACKDATE_MS, notAfter };
      const spec = { commonName: nodeId, publicKey, ...validity, use: { kind: "client", uri } as const };
      const made = makeCertificate(spec, signer);
      return { chain: made.pem + slot.intermediate_pem, serial: made.serial, issuer: slot.id, notAfter };
    },
    issueServer(names) {
      const now = clock.now();
      const { slot, signer, times } = signing;
      const pair = makeKey();
      const notAfter = leafEnd(times, now);
      const validity = { notBefore: now - TRUSTED_BACKDATE_MS, notAfter };
      const use = { kind: "server", names } as const;
      const spec = { commonName: "Orrery panel", publicKey: pair.publicKey, ...validity, use };
      const chain = [makeCertificate(spec, signer).pem, slot.intermediate_pem, ...rootPath(record)].join("");
      return { key: exportKey(pair.privateKey), chain, notAfter };
    },
    issueSigner() {
      const now = clock.now();
      const { slot, signer, times } = signing;
      const pair = makeKey();
      const notAfter = leafEnd(times, now);
      const validity = { notBefore: now - TRUSTED_BACKDATE_MS, notAfter };
      const use = { kind: "signer" } as const;
      const made = makeCertificate(
        { commonName: "Orrery licenses", publicKey: pair.publicKey, ...validity, use },
        signer,
      );
      const chain = [made.pem, slot.intermediate_pem, ...rootPath(record)].join("");
      return { key: pair.privateKey, chain, issuer: slot.id, notAfter };
    },
    bundle: () => signing.bundle,
    trusted: () => [...rootsOf(record), ...record.slots.map((slot) => slot.intermediate_pem)],
    pin: () => pinOf(new X509Certificate(rootPath(record).at(-1) ?? "")),
    rotation: () => record.rotation,
    refresh,
    async rotate(facts) {
      const isChanged = await refresh();
      const action = decideRotation(record.rotation, signing.times, facts, clock.now());
      if (!action) return isChanged;
      await commit(withAction(action));
      return true;
    },
    async beginRotation(what) {
      await refresh();
      const action = requestRotation(record.rotation, what, clock.now());
      return action !== null && commit(withAction(action));
    },
    async rollBack() {
      await refresh();
      if (record.rotation.phase === "steady") return false;
      return commit(prune({ ...record, rotation: rollBackRotation(record.rotation, clock.now()) }));
    },
  };
}

function signingSlot(record: AuthorityRecord): Slot {
  const found = record.slots.find(({ id }) => id === record.rotation.signing);
  if (!found) throw new Error(`the authority's slot ${record.rotation.signing} is missing`);
  return found;
}

/** What every issue and heartbeat needs, worked out once per change. */
interface Signing {
  slot: Slot;
  signer: Signer;
  times: SlotTimes;
  bundle: { pem: string; id: string };
}

function openSigning(record: AuthorityRecord, seal: Seal): Signing {
  const slot = signingSlot(record);
  const pem = rootsOf(record).join("");
  return { slot, signer: intermediateSigner(slot, seal), times: timesOf(slot), bundle: { pem, id: bundleId(pem) } };
}

/** Drops slots, keys and all, that are trusted no more. */
function prune(record: AuthorityRecord): AuthorityRecord {
  const kept = trustedSlots(record.rotation);
  return { ...record, slots: record.slots.filter(({ id }) => kept.includes(id)) };
}

const rootsOf = (record: AuthorityRecord): string[] => [...new Set(record.slots.map((slot) => slot.root_pem))];

/** The upper end of the served chain. While the former root is trusted, it ends there: no node can miss the change. */
function rootPath(record: AuthorityRecord): string[] {
  const { cross_pem, former_root_pem, root_pem } = signingSlot(record);
  const isFormerTrusted = former_root_pem !== null && rootsOf(record).includes(former_root_pem);
  return isFormerTrusted && cross_pem !== null ? [cross_pem, former_root_pem] : [root_pem];
}

/** A leaf never outlives its issuer. */
const leafEnd = ({ notAfter }: SlotTimes, now: number): number => Math.min(now + LEAF_LIFETIME_MS, notAfter);
