import { createPrivateKey, createPublicKey, generateKeyPairSync, type KeyObject, X509Certificate } from "node:crypto";
import type { Seal } from "../../../kernel/seal.ts";
import { makeCertificate, type Signer } from "./certificate.ts";
import { INTERMEDIATE_LIFETIME_MS, ROOT_LIFETIME_MS, TRUSTED_BACKDATE_MS } from "./lifetimes.ts";
import type { SlotTimes } from "./rotation.ts";

/** One authority as it is stored: a root and the intermediate that signs for it. Keys are sealed. */
export interface Slot {
  id: string;
  root_pem: string;
  root_key: string;
  intermediate_pem: string;
  intermediate_key: string;
  /** The same root signed by the one before it, for nodes that know only that one. */
  cross_pem: string | null;
  former_root_pem: string | null;
}

interface KeyPair {
  privateKey: KeyObject;
  publicKey: Uint8Array;
}

const rootName = (id: string): string => `Orrery root ${id}`;
const intermediateName = (id: string): string => `Orrery intermediate ${id}`;
const purpose = (id: string, part: "root" | "intermediate"): string => `pki:${id}:${part}`;

/** A fresh P-256 key. */
export function makeKey(): KeyPair {
  const { privateKey, publicKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  return { privateKey, publicKey: publicKey.export({ type: "spki", format: "der" }) };
}

/** The key as text, for sealing or for a TLS context. */
export const exportKey = (key: KeyObject): string => key.export({ type: "pkcs8", format: "pem" }).toString();

function rootSigner(slot: Slot, seal: Seal): Signer {
  return openSigner(seal.open(purpose(slot.id, "root"), slot.root_key), slot.root_pem);
}

/** What signs leaves. Throws when the slot was sealed under another key. */
export function intermediateSigner(slot: Slot, seal: Seal): Signer {
  return openSigner(seal.open(purpose(slot.id, "intermediate"), slot.intermediate_key), slot.intermediate_pem);
}

function openSigner(keyPem: string, certificatePem: string): Signer {
  const key = createPrivateKey(keyPem);
  const { subject } = new X509Certificate(certificatePem);
  const commonName = /^CN=(.+)$/m.exec(subject)?.[1];
  if (commonName === undefined) throw new Error("an authority's certificate has no name");
  return { commonName, key, publicKey: createPublicKey(key).export({ type: "spki", format: "der" }) };
}

/** A root of its own and its first intermediate. With a former slot, the root is also signed by the former root. */
export function makeRootSlot(id: string, seal: Seal, now: number, former: Slot | null): Slot {
  const pair = makeKey();
  const self = { commonName: rootName(id), publicKey: pair.publicKey, key: pair.privateKey };
  const notBefore = now - TRUSTED_BACKDATE_MS;
  const spec = { commonName: self.commonName, publicKey: self.publicKey, notBefore };
  const use = { kind: "authority", depth: null } as const;
  const root = makeCertificate({ ...spec, notAfter: now + ROOT_LIFETIME_MS, use }, self);
  const crossEnd = former ? timesOf(former).rootNotAfter : 0;
  const cross = former ? makeCertificate({ ...spec, notAfter: crossEnd, use }, rootSigner(former, seal)) : null;
  return {
    id,
    root_pem: root.pem,
    root_key: seal.seal(purpose(id, "root"), exportKey(pair.privateKey)),
    ...makeIntermediate(id, self, seal, now, now + ROOT_LIFETIME_MS),
    cross_pem: cross?.pem ?? null,
    former_root_pem: former?.root_pem ?? null,
  };
}

/** A fresh intermediate under the root of another slot. */
export function makeIntermediateSlot(id: string, seal: Seal, now: number, former: Slot): Slot {
  const signer = rootSigner(former, seal);
  return {
    id,
    root_pem: former.root_pem,
    root_key: seal.seal(purpose(id, "root"), exportKey(signer.key)),
    ...makeIntermediate(id, signer, seal, now, timesOf(former).rootNotAfter),
    cross_pem: null,
    former_root_pem: null,
  };
}

function makeIntermediate(
  id: string,
  root: Signer,
  seal: Seal,
  now: number,
  rootEnd: number,
): Pick<Slot, "intermediate_pem" | "intermediate_key"> {
  const pair = makeKey();
  const made = makeCertificate(
    {
      commonName: intermediateName(id),
      publicKey: pair.publicKey,
      notBefore: now - TRUSTED_BACKDATE_MS,
      notAfter: Math.min(now + INTERMEDIATE_LIFETIME_MS, rootEnd),
      use: { kind: "authority", depth: 0 },
    },
    root,
  );
  return {
    intermediate_pem: made.pem,
    intermediate_key: seal.seal(purpose(id, "intermediate"), exportKey(pair.privateKey)),
  };
}

/** When a slot's certificates are valid, milliseconds. */
export function timesOf(slot: Slot): SlotTimes {
  const intermediate = new X509Certificate(slot.intermediate_pem);
  return {
    notBefore: intermediate.validFromDate.getTime(),
    notAfter: intermediate.validToDate.getTime(),
    rootNotAfter: new X509Certificate(slot.root_pem).validToDate.getTime(),
  };
}
