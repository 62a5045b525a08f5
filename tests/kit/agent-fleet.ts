import { generateKeyPairSync, X509Certificate } from "node:crypto";
import { days, hours } from "../../src/lib/duration.ts";
import { splitCertificates } from "../../src/lib/pem.ts";
import { identify } from "../../src/panel/agents/agent-listener/index.ts";
import { registerNode, renewNode } from "../../src/panel/agents/enrolment/index.ts";
import {
  bundleId,
  type Credentials,
  confirmCredential,
  credentialInUse,
  makeCsr,
  receiveCredential,
  refuseCredential,
  renewalRetry,
  renewalTime,
  serialOf,
} from "../../src/shared/agent-protocol/index.ts";
import { createTestAuthority } from "./authority.ts";
import { isTrustedChain } from "./certificate-chain.ts";
import { createMemoryFleet } from "./enrolment.ts";
import { createFakeClock } from "./fake-clock.ts";

interface Held {
  serial: string;
  /** Fingerprint of the certificate that signed it, and that one. */
  issuerId: string;
  issuer: X509Certificate;
  notBefore: number;
  notAfter: number;
}

interface SimulatedNode {
  id: string;
  held: Credentials<Held>;
  bundle: string;
  bundleId: string;
  skew: number;
  renewAt: number;
  retryAt: number;
  failures: number;
  awayFrom: number;
  awayUntil: number;
}

/** How a run goes wrong; shares are of all answers. */
export interface Weather {
  nodes: number;
  days: number;
  stepHours: number;
  lostRenewals: number;
  lostHeartbeats: number;
  /** Day on which a new root is begun by hand. */
  rotateOnDay: number;
  seed: number;
}

/** What a run ended in. */
export interface FleetOutcome {
  stranded: string[];
  renewals: number;
  lost: number;
  phases: string[];
  onFormerRoot: number;
}

/** Numbers in [0, 1), the same ones for the same seed (mulberry32). */
function seededRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

const readChain = (pem: string): X509Certificate[] => splitCertificates(pem).map((part) => new X509Certificate(part));

function readHeld(pem: string): Held {
  const [leaf, issuer] = readChain(pem);
  if (!leaf || !issuer) throw new Error("an answer carries no certificate and its issuer");
  return {
    serial: serialOf(leaf),
    issuer,
    issuerId: issuer.fingerprint256,
    notBefore: leaf.validFromDate.getTime(),
    notAfter: leaf.validToDate.getTime(),
  };
}

/**
 * Runs a fleet through virtual time with the panel's own rules and real certificates. Nodes have wrong clocks, go away
 * for weeks, and lose answers after the panel has acted on them.
 */
export async function runFleet(weather: Weather): Promise<FleetOutcome> {
  const random = seededRandom(weather.seed);
  const clock = createFakeClock();
  const authority = await createTestAuthority(clock);
  const fleet = createMemoryFleet(authority, clock);
  const makeKey = () => generateKeyPairSync("ec", { namedCurve: "P-256" }).privateKey;
  const outcome: FleetOutcome = { stranded: [], renewals: 0, lost: 0, phases: [], onFormerRoot: 0 };
  const firstRoot = authority.bundle().pem;

  const nodes: SimulatedNode[] = [];
  for (let i = 0; i < weather.nodes; i++) {
    const id = `node-${i}`;
    const reply = await registerNode(
      fleet.deps,
      {
        registration_token: fleet.addToken("ten"),
        instance_id: id,
        hostname: id,
        version: "1",
        csr: makeCsr(makeKey(), id),
        hardware_fingerprint: id,
      },
      { address: "192.0.2.1" },
    );
    const current = readHeld(reply.signed_certificate);
    const awayFrom = clock.now() + days(random() * weather.days);
    nodes.push({
      id,
      held: { current, pending: null },
      bundle: reply.ca_certificate,
      bundleId: bundleId(reply.ca_certificate),
      skew: hours(2 * random() - 1),
      renewAt: renewalTime(current.notAfter, random),
      retryAt: 0,
      failures: 0,
      awayFrom,
      awayUntil: awayFrom + days(random() * 20),
    });
  }

  let served = authority.issueServer(["panel"]);
  // Checks that cannot change within a step are made once.
  let checked = new Map<string, boolean>();
  const remembered = (key: string, check: () => boolean): boolean => {
    const known = checked.get(key) ?? check();
    checked.set(key, known);
    return known;
  };

  const trustsPanel = (node: SimulatedNode): boolean => {
    const hour = Math.round(node.skew / hours(1));
    const check = () => isTrustedChain(readChain(served.chain), readChain(node.bundle), clock.now() + hours(hour));
    return remembered(`${node.bundleId}:${hour}`, check);
  };
  const anchors = () => readChain(authority.bundle().pem);
  const isAdmitted = ({ issuer, issuerId, notBefore, notAfter }: Held): boolean => {
    const now = clock.now();
    if (notAfter <= now || notBefore > now) return false;
    return remembered(issuerId, () => isTrustedChain([issuer], anchors(), now));
  };

  async function renew(node: SimulatedNode, serial: string): Promise<void> {
    const now = clock.now() + node.skew;
    if (now < node.renewAt || now < node.retryAt) return;
    const reply = await renewNode(
      fleet.deps,
      { csr: makeCsr(makeKey(), node.id) },
      { nodeId: node.id, tenantId: "ten", serial },
    );
    if (random() < weather.lostRenewals) {
      outcome.lost += 1;
      node.failures += 1;
      node.retryAt = now + renewalRetry(node.failures, random);
      return;
    }
    const fresh = readHeld(reply.signed_certificate);
    Object.assign(node, {
      held: receiveCredential(node.held, fresh),
      bundle: reply.ca_certificate,
      bundleId: bundleId(reply.ca_certificate),
      renewAt: renewalTime(fresh.notAfter, random),
      failures: 0,
    });
    outcome.renewals += 1;
  }

  /** One contact with the panel; false when the node can never come back by itself. */
  async function contact(node: SimulatedNode): Promise<boolean> {
    if (!trustsPanel(node)) return false;
    const used = credentialInUse(node.held);
    const presented = { nodeId: node.id, serial: used.serial, notAfter: used.notAfter };
    const identity = isAdmitted(used)
      ? await identify(presented, fleet.directory, clock.now()).catch(() => null)
      : null;
    if (!identity) {
      const back = refuseCredential(node.held);
      if (back) node.held = back;
      return back !== null;
    }
    if (random() < weather.lostHeartbeats) return true;
    node.held = confirmCredential(node.held);
    if (node.bundleId !== authority.bundle().id) {
      Object.assign(node, { bundle: authority.bundle().pem, bundleId: authority.bundle().id });
    }
    await renew(node, identity.serial);
    return true;
  }

  async function keepAuthority(): Promise<void> {
    const rotation = authority.rotation();
    const { id } = authority.bundle();
    const other = rotation.phase === "steady" ? null : rotation.other;
    const informed = nodes.filter((node) => node.bundleId === id).length;
    const isOn = ({ certificate, pending }: { certificate: { issuer: string }; pending: { issuer: string } | null }) =>
      certificate.issuer === other || pending?.issuer === other;
    const nodesOnOther = fleet.nodes().filter(isOn).length;
    await authority.rotate({ informedShare: informed / nodes.length, nodesOnOther });
    served = authority.issueServer(["panel"]);
    if (outcome.phases.at(-1) !== authority.rotation().phase) outcome.phases.push(authority.rotation().phase);
  }

  const steps = Math.round((weather.days * 24) / weather.stepHours);
  for (let step = 0; step < steps; step++) {
    clock.jump(hours(weather.stepHours));
    checked = new Map();
    const isNewDay = Math.floor((step * weather.stepHours) / 24) !== Math.floor(((step - 1) * weather.stepHours) / 24);
    if (isNewDay && Math.floor((step * weather.stepHours) / 24) === weather.rotateOnDay) {
      await authority.beginRotation("root");
    }
    if (isNewDay) await keepAuthority();
    for (const node of nodes) {
      if (clock.now() >= node.awayFrom && clock.now() < node.awayUntil) continue;
      if (!(await contact(node)) && !outcome.stranded.includes(node.id)) outcome.stranded.push(node.id);
    }
  }
  outcome.onFormerRoot = nodes.filter((node) => node.bundle.includes(firstRoot)).length;
  return outcome;
}
