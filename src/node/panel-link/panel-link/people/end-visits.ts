import { OutgoingError, type OutgoingReply } from "../../../../kernel/outgoing/index.ts";
import { isRecord, parseJson } from "../../../../lib/json.ts";
import { signAssertion, VISITS_PATH } from "../../../../shared/panel-identity/index.ts";
import type { PageRequest } from "../../../base.ts";
import { PANEL } from "../../../platform/operations/index.ts";
import type { Own } from "../needs.ts";
import type { LinkedPanel } from "../standing.ts";
import { endEach } from "./end-people.ts";
import { listVisits } from "./people-store.ts";

type Deps = Pick<Own, "db" | "clock" | "users" | "bus" | "standing" | "log">;
type Ask = (path: string, request: PageRequest) => Promise<OutgoingReply>;

/** The accounts of staff whom the workspace lets in now; null when the panel does not say. */
async function askOpen({ log }: Deps, panel: LinkedPanel, now: number, ask: Ask): Promise<ReadonlySet<unknown> | null> {
  const { instance_id: nodeId, secret, tenant_id } = panel;
  const client_assertion = await signAssertion(secret, { nodeId, audience: VISITS_PATH, now });
  const body = JSON.stringify({ tenant_id, client_id: nodeId, client_assertion });
  const headers = { "content-type": "application/json" };
  try {
    const reply = await ask(VISITS_PATH, { method: "POST", headers, body, timeoutMs: 10_000 });
    const answer = reply.status === 200 ? parseJson(reply.body) : null;
    return isRecord(answer) && Array.isArray(answer["open"]) ? new Set(answer["open"]) : null;
  } catch (error) {
    if (!(error instanceof OutgoingError)) throw error;
    log.info("the panel could not be asked which visits of its staff go on", { error });
    return null;
  }
}

/**
 * Puts out staff of the panel whom the workspace lets in no longer, with all that lets them in here: at the end that the panel told when
 * they came, and before that as soon as the panel says so.
 */
export async function endVisits(deps: Deps, ask: Ask): Promise<void> {
  const { db, standing, clock, bus } = deps;
  const here = listVisits(db);
  if (here.length === 0) return;
  const now = clock.now() - standing.aheadMs();
  const panel = standing.state();
  const open = panel && (await askOpen(deps, panel, now, ask));
  const isOver = ({ membership, account_id, visit_until }: (typeof here)[number]): boolean =>
    visit_until <= now || (open !== null && membership === panel?.membership && !open.has(account_id));
  db.tx(() => {
    const known = new Map(here.filter(isOver).map(({ user_id, visit_until }) => [user_id, visit_until]));
    // Who came in by another permit while the panel was asked stays.
    const over = listVisits(db).filter(({ user_id, visit_until }) => known.get(user_id) === visit_until);
    if (over.length === 0) return;
    const { ways, ...counts } = endEach(deps, over, { by: PANEL, ip: "" });
    bus.emit("panel.visits_ended", { by: PANEL, ip: "", panel: panel?.agent_url ?? "", ...counts, ended: ways });
  });
}
