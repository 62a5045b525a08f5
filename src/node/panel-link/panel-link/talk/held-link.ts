import { X509Certificate } from "node:crypto";
import { splitCertificates } from "../../../../lib/pem.ts";
import type { AgentTrust, Standpoint } from "../../../../shared/agent-client/index.ts";
import { credentialInUse, serialOf } from "../../../../shared/agent-protocol/index.ts";
import { isWordOn } from "../../../../shared/panel-word/index.ts";
import { certificateEnd, type NodeCredentials, openCredentials, sealCredentials } from "../credentials.ts";
import { type LinkRow, updateLink } from "../link-store.ts";
import type { Needs } from "../needs.ts";

/** Thrown when somebody connected or disconnected the node meanwhile: the conversation is over. */
export class LinkChanged extends Error {}

/** The link of one conversation: what is on disk, with its certificates open. */
export interface HeldLink {
  row(): LinkRow;
  credentials(): NodeCredentials;
  /** The certificate in use, and what decides about it; `panelNow` is the panel's time. */
  standpoint(panelNow: number): Standpoint;
  /** What to show on the next call. */
  trust(): AgentTrust;
  /** Writes a change down. Throws `LinkChanged`. */
  save(change: Partial<LinkRow>): void;
  /** Writes other certificates down, with when the one in use ends. Throws `LinkChanged`. */
  hold(credentials: NodeCredentials, change?: Partial<LinkRow>): void;
  /** Tries the former certificate next, or the renewed one again; both are kept. */
  swap(): void;
  /** True while the former one is tried. */
  isOnFormer(): boolean;
}

/** Opens a link. Throws an Error when its certificates were sealed under another key. */
export function holdLink({ db, seal }: Pick<Needs, "db" | "seal">, given: LinkRow): HeldLink {
  let row = given;
  let credentials = openCredentials(seal, row.credentials);
  let onFormer = false;

  const inUse = () => (onFormer ? credentials.current : credentialInUse(credentials));

  function save(change: Partial<LinkRow>): void {
    const next = { ...row, ...change };
    if (!updateLink(db, row.revision, next)) throw new LinkChanged();
    row = next;
  }

  return {
    row: () => row,
    credentials: () => credentials,
    trust: () => ({ ca: row.ca_bundle, credential: inUse() }),
    standpoint: (panelNow) => ({
      now: panelNow,
      certificateEnd: row.certificate_end,
      isSigned(word, reason) {
        const { certificate } = inUse();
        const serial = serialOf(new X509Certificate(certificate));
        return isWordOn(word, row.ca_bundle, { nodeId: row.instance_id, serial }, reason);
      },
    }),
    save,
    hold(next, change = {}) {
      onFormer = false;
      save({
        ...change,
        credentials: sealCredentials(seal, next),
        certificate_end: certificateEnd(credentialInUse(next).certificate),
      });
      credentials = next;
    },
    swap() {
      if (credentials.pending !== null) onFormer = !onFormer;
    },
    isOnFormer: () => onFormer,
  };
}

/** Two roots during a change, with room: every handshake and every license reads them all. */
const LONGEST_BUNDLE = 65_536;

/** True for a bundle that can be trusted from now on: certificates of authorities, and at least one. */
export function isBundle(pem: string): boolean {
  if (pem.length > LONGEST_BUNDLE) return false;
  try {
    const parts = splitCertificates(pem);
    return parts.length > 0 && parts.every((part) => new X509Certificate(part).ca);
  } catch {
    return false;
  }
}
