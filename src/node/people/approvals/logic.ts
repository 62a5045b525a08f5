import { networksAround } from "../../../kernel/http/peer.ts";
import type { ServerEvent } from "../../../kernel/http/sse.ts";
import { takeOne } from "../../../kernel/http/too-many-requests.ts";
import { createChannel } from "../../../lib/channel.ts";
import { toIso } from "../../../lib/clock.ts";
import { constantTimeEqual } from "../../../lib/digest.ts";
import type { Actor } from "../../actor.ts";
import type { Origin } from "../sessions/index.ts";
import { type SignIn, takeAttempt } from "../sign-ins/index.ts";
import {
  type ApprovalCreated,
  type ApprovalDecision,
  type ApprovalStatus,
  fail,
  type PendingApproval,
} from "./contract.ts";
import type { Own } from "./needs.ts";
import { type ApprovalRequest, DELIVERY_MS, REQUEST_MS, setState, statusOf } from "./requests.ts";

export const APPROVALS_SETTING = "auth.approve_on_device";
const CODE_DIGITS = 6;
/** Nobody sees it; an answer is long gone by then. */
const ANNOUNCE_AFTER_MS = 20;

const present = (request: ApprovalRequest): PendingApproval => ({
  id: request.shown_id,
  device: request.device,
  ip: request.ip,
  city: null,
  created_at: toIso(request.created_at),
  expires_at: toIso(request.created_at + REQUEST_MS),
});

/** Looks up once, when first asked. */
function lookUpLater({ users }: Own, username: string): () => string {
  let found: string | null = null;
  return () => {
    if (found === null) {
      const account = users.findCredentials(username);
      found = account?.disabled_at === null ? account.id : "";
    }
    return found;
  };
}

/** Shows a request to the devices that may decide it. */
async function announce({ bus, clock, signal, log }: Own, request: ApprovalRequest): Promise<void> {
  // The next turn of the loop would still come before the answer has left.
  await clock.sleep(ANNOUNCE_AFTER_MS, signal);
  if (signal.aborted) return;
  try {
    if (request.userId() === "") return;
    bus.emit("approval.requested", { user_id: request.userId(), request: present(request) });
  } catch (error) {
    log.error("approval request not shown", { request_id: request.shown_id, error });
  }
}

/**
 * Asks to be let in by a signed-in device. Unknown addresses get the same answer in the same time: whether there is such an
 * account, and a device of it that listens, is looked at only once the answer is on its way.
 * Throws `approvals_off`, `too_many_requests`.
 */
export function requestApproval(own: Own, email: string, origin: Origin): ApprovalCreated {
  const { clock, ids, open, settings } = own;
  if (settings.get(APPROVALS_SETTING) !== "true") throw fail("approvals_off");
  takeAttempt(open.byAddress, origin.ip);
  takeOne(open.byEmail, email.trim().toLowerCase());
  const request: ApprovalRequest = {
    id: `apr_${ids.token(24)}`,
    shown_id: `apr_${ids.token(24)}`,
    userId: lookUpLater(own, email.trim()),
    code: ids.code(CODE_DIGITS, "0123456789"),
    ...origin,
    created_at: clock.now(),
    end: clock.monotonic() + REQUEST_MS,
    state: "pending",
    device_id: null,
    holds: () => true,
    isDelivered: false,
    watchers: new Set(),
  };
  open.requests.set(request.id, request, networksAround(origin.ip));
  void announce(own, request);
  return { request_id: request.id, expires_at: toIso(request.created_at + REQUEST_MS), code: request.code };
}

function getRequest({ open }: Pick<Own, "open">, id: string): ApprovalRequest {
  const request = open.requests.get(id);
  if (!request) throw fail("approval_not_found");
  return request;
}

/** The request that those who may decide know by this id, or the screen that asks by its own. */
function getShown({ open }: Pick<Own, "open">, id: string): ApprovalRequest {
  return open.requests.values().find(({ shown_id }) => shown_id === id) ?? getRequest({ open }, id);
}

/** Where a request stands; with the session for the first who can take it after the approval. Throws `approval_not_found`. */
export function pollApproval(own: Own, id: string, canTake: boolean): { status: ApprovalStatus; done: SignIn | null } {
  const request = getRequest(own, id);
  const status = statusOf(own.clock, request);
  if (status !== "approved" || request.isDelivered || !canTake) return { status, done: null };
  const origin = { ip: request.ip, device: request.device };
  const done = own.signIns.finish(request.userId(), origin, "approval", request.device_id);
  // Only now: a session that could not be stored has not been handed out.
  request.isDelivered = true;
  return { status, done };
}

/** The status of a request now and at each change, until it is decided or over. */
export async function* watchApproval(
  { clock, open }: Pick<Own, "clock" | "open">,
  id: string,
  signal: AbortSignal,
): AsyncIterable<ServerEvent> {
  const request = getRequest({ open }, id);
  const changes = createChannel<true>(4, signal);
  const wake = () => changes.push(true);
  request.watchers.add(wake);
  const stopTimer = clock.after(Math.max(0, request.end - clock.monotonic()), wake);
  try {
    let status = statusOf(clock, request);
    yield { event: "status", data: { status } };
    if (status !== "pending") return;
    for await (const _ of changes) {
      status = statusOf(clock, request);
      if (status === "pending") continue;
      yield { event: "status", data: { status } };
      return;
    }
  } finally {
    stopTimer();
    request.watchers.delete(wake);
  }
}

/** Throws `approval_not_found` for an id that was never made or is forgotten. */
export function assertApprovalKnown(own: Own, id: string): void {
  getRequest(own, id);
}

/**
 * Requests that wait for the actor's decision, newest first, by ids that fetch no session. None for API keys, which decide nothing.
 */
export function listPending({ clock, open }: Own, actor: Actor) {
  if (actor.credential === "key") return { requests: [] };
  const requests = open.requests
    .values()
    .filter((request) => request.userId() === actor.user_id && statusOf(clock, request) === "pending")
    .map(present)
    .reverse();
  return { requests };
}

/**
 * Lets a waiting device in or turns it away. A wrong code turns it away for good. Throws
 * `approval_not_found` (foreign ones too), `approval_closed`, `approval_expired`, `approval_code_wrong`.
 */
export function decideApproval(own: Own, actor: Actor, id: string, decision: ApprovalDecision): void {
  const { clock, bus, db } = own;
  const request = getShown(own, id);
  if (request.userId() !== actor.user_id) throw fail("approval_not_found");
  const status = statusOf(clock, request);
  if (status === "expired") throw fail("approval_expired");
  if (status !== "pending") throw fail("approval_closed");
  const about = { user_id: actor.user_id, request_id: request.shown_id, device: request.device, ip: request.ip };
  if (decision.approve && !constantTimeEqual(request.code, decision.code?.trim() ?? "")) {
    setState(request, "denied", clock.monotonic());
    bus.emit("approval.code_wrong", about);
    throw fail("approval_code_wrong");
  }
  // On record first: nobody is let in by what could not be written down.
  db.record(() => bus.emit("approval.decided", { ...about, approved: decision.approve }));
  if (decision.approve) {
    request.device_id = actor.device_id;
    request.holds = own.pairedDevices.underThisAccess(actor);
  }
  setState(request, decision.approve ? "approved" : "denied", clock.monotonic() + DELIVERY_MS);
}
