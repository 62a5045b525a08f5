import type { Store } from "../../../kernel/db/store.ts";
import type { Seal } from "../../../kernel/seal.ts";
import { type Clock, toIso } from "../../../lib/clock.ts";
import { days, minutes } from "../../../lib/duration.ts";
import { isSkewed } from "../../../shared/agent-protocol/index.ts";
import { type License, verifyLicense } from "../../../shared/license/index.ts";
import type { NodePlan } from "../../../shared/plans/index.ts";
import type { LinkPhase, PanelStatus } from "./contract.ts";
import { openSecret } from "./credentials.ts";
import { findLink, isMember, type LinkRow } from "./link-store.ts";
import { countPeople } from "./people/people-store.ts";

/** The panel that this node belongs to. */
export interface LinkedPanel {
  /** This node's name there. */
  instance_id: string;
  tenant_id: string;
  /** What the node has of it is of this membership. */
  membership: string;
  /** Another one whenever the node is connected or disconnected, to the same panel too. */
  revision: string;
  /** The origin of the panel's dashboard and API; null when it told none that is taken. */
  cp_url: string | null;
  agent_url: string;
  /** What node and panel share. */
  secret: string;
  plan: NodePlan;
}

/** What only the running process knows of its link. Times in milliseconds. */
export interface LiveLink {
  phase: Extract<LinkPhase, "connecting" | "connected" | "retrying">;
  lastHeartbeatAt: number | null;
  nextTryAt: number | null;
  lastError: string | null;
  /** How far this server's clock is ahead of the panel's; null before the first answer. */
  aheadMs: number | null;
  /** The address at which the panel proved itself last. */
  reached: string | null;
}

/** Before the first try. */
const NOT_TRIED: LiveLink = {
  phase: "connecting",
  lastHeartbeatAt: null,
  nextTryAt: null,
  lastError: null,
  aheadMs: null,
  reached: null,
};

/** How this node stands with its panel. */
export interface Standing {
  /** Null while the node belongs to none: never connected, disconnected, or deleted there. */
  state(): LinkedPanel | null;
  /** What the node has of its panel is of this membership; null while it belongs to none. */
  membership(): string | null;
  /** Whether the node still belongs to a panel, by the link of this revision; seen at once when another process has ended it. */
  holds(revision: string): boolean;
  /** The plan of the license, for 14 days after its end too, and community without one; null without a panel. */
  licensedPlan(): NodePlan | null;
  /** The license in force, if there is one. */
  license(): License | null;
  status(): PanelStatus;
  /** How far this server's clock is ahead of the panel's, in milliseconds; 0 until that is known. */
  aheadMs(): number;
  /** The address at which the panel proved itself last; null before that. */
  reached(): string | null;
  /** What the conversation has come to know. */
  note(change: Partial<LiveLink>): void;
  /** Says something to those who keep the link. */
  say(word: LinkWord): void;
  /** Told whenever `word` is said; returns how to stop that. */
  on(word: LinkWord, run: () => void): () => void;
}

/**
 * `beat`: a heartbeat is wanted now. `work`: a command was accepted. `tell_all`: the panel is to hear everything anew. `changed`: the node
 * was connected or disconnected.
 */
export type LinkWord = "beat" | "work" | "tell_all" | "changed";

interface Deps {
  db: Store;
  seal: Seal;
  clock: Clock;
  plan(): NodePlan;
}

const ENDS_SOON_MS = days(14);
/** A license is judged anew this often, for it ends some time. */
const JUDGED_MS = minutes(1);

/** A standing of which nothing is known but what is on disk. */
export function createStanding({ db, seal, clock, plan }: Deps): Standing {
  let live = NOT_TRIED;
  const listeners = new Map<LinkWord, Set<() => void>>();
  let judged: { token: string; bundle: string; at: number; license: License | null } | null = null;

  const row = (): LinkRow | null => {
    const found = db.remember("panel-link", () => findLink(db));
    return found && found.ended !== "disconnected" ? found : null;
  };
  const member = (): LinkRow | null => [row()].find((found) => found && isMember(found)) ?? null;

  function license(): License | null {
    const found = member();
    if (!found) return null;
    const { license_token: token, ca_bundle: bundle } = found;
    const at = clock.monotonic();
    if (judged?.token !== token || judged.bundle !== bundle || at - judged.at >= JUDGED_MS) {
      judged = { token, bundle, at, license: verifyLicense(token, bundle, clock.now()) };
    }
    return judged.license;
  }

  return {
    state() {
      const found = member();
      if (!found) return null;
      const { instance_id, tenant_id, membership, revision, panel_url: cp_url, agent_url } = found;
      const secret = openSecret(seal, found.secret);
      return { instance_id, tenant_id, membership, revision, cp_url, agent_url, secret, plan: plan() };
    },
    membership: () => member()?.membership ?? null,
    holds: (revision) => [findLink(db)].some((link) => link !== null && isMember(link) && link.revision === revision),
    licensedPlan: () => (member() ? (license()?.plan ?? "community") : null),
    license,
    status: () => ({
      ...present(row(), live, { plan: plan(), license: license(), now: clock.now() }),
      people: countPeople(db, member()?.membership ?? null),
    }),
    aheadMs: () => live.aheadMs ?? 0,
    reached: () => live.reached,
    note(change) {
      live = { ...live, ...change };
    },
    say(word) {
      for (const run of [...(listeners.get(word) ?? [])]) run();
    },
    on(word, run) {
      const those = listeners.get(word) ?? new Set();
      listeners.set(word, those.add(run));
      return () => those.delete(run);
    },
  };
}

const isoOrNull = (ms: number | null): string | null => (ms === null ? null : toIso(ms));

function phaseOf(row: LinkRow | null, live: LiveLink): LinkPhase {
  if (!row || row.ended === "disconnected") return "none";
  return row.ended ?? live.phase;
}

function present(
  row: LinkRow | null,
  live: LiveLink,
  { plan, license, now }: { plan: NodePlan; license: License | null; now: number },
): Omit<PanelStatus, "people"> {
  const isOver = row === null || row.ended !== null;
  const ahead = live.aheadMs;
  return {
    phase: phaseOf(row, live),
    panel_url: row?.panel_url ?? null,
    agent_url: row?.agent_url ?? null,
    instance_id: row?.instance_id ?? null,
    plan,
    plan_from: row && isMember(row) ? "panel" : "configuration",
    license_expires_at: isoOrNull(license?.expiresAt ?? null),
    license_in_grace: license?.isInGrace ?? false,
    certificate_expires_at: isoOrNull(row?.certificate_end ?? null),
    certificate_ends_soon: !isOver && row.certificate_end - now < ENDS_SOON_MS,
    connected_since: isoOrNull(row?.changed_at ?? null),
    last_heartbeat_at: isoOrNull(row ? (live.lastHeartbeatAt ?? row.last_heartbeat_at) : null),
    next_try_at: isoOrNull(isOver ? null : live.nextTryAt),
    last_error: row?.ended_reason ?? (isOver ? null : live.lastError),
    clock_ahead_seconds: !isOver && ahead !== null && isSkewed(ahead) ? Math.round(ahead / 1000) : null,
  };
}
