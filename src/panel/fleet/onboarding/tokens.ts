import { toIso } from "../../../lib/clock.ts";
import { sha256Hex } from "../../../lib/digest.ts";
import { days, hours, minutes } from "../../../lib/duration.ts";
import type { Actor } from "../../actor.ts";
import {
  countTokens,
  endToken,
  endTokens,
  findGroup,
  insertToken,
  listTokens,
  pruneTokens,
} from "../../agents/nodes/index.ts";
import type { Ousted } from "../../base.ts";
import { byMember } from "../../event-meaning.ts";
import { lockWorkspace } from "../../people/tenants/index.ts";
import { connectCommand, installCommand, type Origin, panelUrl } from "./connect-command.ts";
import {
  type EnrollToken,
  type FleetToken,
  type FleetTokenInput,
  fail,
  TOKENS_MAX,
  type TokenEntry,
} from "./contract.ts";
import type { Needs } from "./needs.ts";

type Deps = Pick<Needs, "clock" | "ids" | "config" | "nodes" | "agentPort" | "bus">;

const TOKEN_BYTES = 32;
const DEFAULT_MINUTES = 60;
const DEFAULT_HOURS = 24;
/** A used or expired token is remembered for this long. */
const REMEMBER_MS = days(30);

interface NewToken {
  name: string;
  lifetimeMs: number;
  maxUses: number;
  groupId: string | null;
  tags: readonly string[];
}

/** A token for one server, and the line to run there. Throws `too_many_tokens`. */
export async function createEnrollToken(
  deps: Deps,
  actor: Actor,
  origin: Origin,
  ttlMinutes = DEFAULT_MINUTES,
): Promise<EnrollToken> {
  const wanted = { name: "Enrol a server", lifetimeMs: minutes(ttlMinutes), maxUses: 1, groupId: null, tags: [] };
  const { id, token, created_at, expires_at } = await create(deps, actor, origin.ip, wanted);
  return {
    id,
    token,
    created_at: toIso(created_at),
    expires_at: toIso(expires_at),
    cc_url: panelUrl(deps, origin),
    ...linesFor(deps, origin, token),
  };
}

/** A named token. Throws `too_many_tokens`, `token_group_unknown`. */
export async function createFleetToken(
  deps: Deps,
  actor: Actor,
  origin: Origin,
  input: FleetTokenInput,
): Promise<FleetToken> {
  const { token, name, expires_at } = await create(deps, actor, origin.ip, {
    name: input.name,
    lifetimeMs: hours(input.expires_in_hours ?? DEFAULT_HOURS),
    maxUses: input.max_uses ?? 1,
    groupId: input.group_id ?? null,
    tags: [...new Set(input.tags ?? [])],
  });
  return { token, name, expires_at: toIso(expires_at), ...linesFor(deps, origin, token) };
}

const linesFor = (deps: Deps, origin: Origin, token: string) => ({
  command: connectCommand(deps, origin, token),
  install_command: installCommand(deps, origin, token),
});

function create(deps: Deps, actor: Actor, ip: string, wanted: NewToken) {
  const { clock, ids } = deps;
  return actor.db.tx(async (tx) => {
    // Whoever ends all that lets servers in ends this one too, or it is not made; and nobody else makes the last one that there is room for.
    await lockWorkspace(tx);
    const now = clock.now();
    await pruneTokens(tx, now - REMEMBER_MS);
    if ((await countTokens(tx, now)) >= TOKENS_MAX) throw fail("too_many_tokens", { limit: TOKENS_MAX });
    const { name, maxUses, groupId, tags } = wanted;
    if (groupId !== null && !(await findGroup(tx, groupId))) throw fail("token_group_unknown", { id: groupId });
    // With a beginning of its own: it goes into a command line, where nothing that begins with a dash is a value.
    const token = `ort_${ids.token(TOKEN_BYTES)}`;
    const row = { id: ids.next("rgt"), name, created_at: now, expires_at: now + wanted.lifetimeMs };
    const grant = { uses: 0, max_uses: maxUses, group_id: groupId, tags: JSON.stringify(tags) };
    await insertToken(tx, { ...row, ...grant, hash: sha256Hex(token), created_by: actor.member_id });
    const told = { token_id: row.id, name, max_uses: maxUses, expires_at: toIso(row.expires_at) };
    await deps.bus.emit(tx, "fleet.token.create", { by: byMember(actor, ip), ...told });
    return { ...row, token };
  });
}

/** The tokens that are still good, the newest first. */
export async function listGoodTokens({ clock }: Pick<Deps, "clock">, actor: Actor): Promise<TokenEntry[]> {
  const rows = await listTokens(actor.db, clock.now(), TOKENS_MAX);
  return rows.map((row) => ({
    ...row,
    tags: JSON.parse(row.tags),
    created_at: toIso(row.created_at),
    expires_at: toIso(row.expires_at),
  }));
}

/** Takes a token back: nobody registers with it from here on. Throws `token_not_found`. */
export function revokeToken(
  deps: Deps,
  actor: Actor,
  ip: string,
  id: string,
): Promise<{ id: string; status: "revoked" }> {
  return actor.db.tx(async (tx) => {
    const name = await endToken(tx, id, deps.clock.now());
    if (name === null) throw fail("token_not_found", { id });
    await deps.bus.emit(tx, "fleet.token.revoke", { by: byMember(actor, ip), token_id: id, name });
    return { id, status: "revoked" };
  });
}

/** Takes back all of a workspace whose owner did not make them; gives how many that were. */
export async function revokeAll({ clock, bus }: Pick<Deps, "clock" | "bus">, { by, own }: Ousted): Promise<number> {
  const ended = await endTokens(own, clock.now());
  for (const { id, name } of ended) await bus.emit(own, "fleet.token.revoke", { by, token_id: id, name });
  return ended.length;
}
