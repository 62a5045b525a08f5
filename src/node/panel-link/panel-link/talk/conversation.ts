import { seconds } from "../../../../lib/duration.ts";
import {
  AgentCallError,
  createAgentClient,
  judgeFailure,
  parseAgentUrl,
  type Verdict,
} from "../../../../shared/agent-client/index.ts";
import {
  clockSkew,
  confirmCredential,
  HOST_TERMINAL_SERVICE,
  isSkewed,
  LOG_SERVICE,
  LONGEST_RETRY_MS,
  refuseCredential,
  retryMs,
  SEARCH_SERVICE,
  TERMINAL_SERVICE,
} from "../../../../shared/agent-protocol/index.ts";
import { PANEL } from "../../../platform/operations/index.ts";
import { collectResults, resultsHeard } from "../commands/results.ts";
import { endMembership } from "../enrolment/end-membership.ts";
import type { LinkEnd, LinkRow } from "../link-store.ts";
import type { Own } from "../needs.ts";
import { createPageReader } from "../panel-page.ts";
import { createReporter } from "../report/heartbeat.ts";
import { serveLogs } from "../streams/serve-logs.ts";
import { serveSearch } from "../streams/serve-search.ts";
import { serveHostTerminal, serveTerminal } from "../streams/serve-terminal.ts";
import { type HeldLink, holdLink } from "./held-link.ts";
import { createRenewer } from "./renew.ts";
import { takeAnswer } from "./take-answer.ts";

/** The talk with one panel, from the moment its link is there until it changes or ends. */
export interface Conversation {
  /**
   * One contact, whatever comes of it. Returns the milliseconds until the next one, null when there is none: the node was
   * deleted, or needs a new token. Throws `LinkChanged`.
   */
  beat(): Promise<number | null>;
  /** The panel is told everything anew. */
  forgetHeard(): void;
  close(): void;
}

const ENDS: Record<Exclude<Verdict, "retry">, { ended: LinkEnd; reason: string }> = {
  certificate_refused: {
    ended: "needs_new_token",
    reason: "The panel does not take this node's certificate any more. Make a new token there and connect again.",
  },
  certificate_expired: {
    ended: "needs_new_token",
    reason: "This node's certificate ran out while the panel was away. Make a new token there and connect again.",
  },
  deleted: {
    ended: "deleted",
    reason: "This node was deleted from its fleet on the panel. To bring it back, connect it with a new token.",
  },
};

/** Begins to talk. Throws an Error when the link on disk cannot be used. */
export function converse(own: Own, row: LinkRow): Conversation {
  const { clock, log, db, standing } = own;
  const endpoint = parseAgentUrl(row.agent_url);
  if (!endpoint) throw new Error(`the link names no panel: ${row.agent_url}`);
  const link = holdLink(own, row);
  /** What the panel, or the end of the connection, said between two heartbeats; it counts as the answer to the next one. */
  let said: AgentCallError | null = null;
  const client = createAgentClient(clock, endpoint, link.trust(), {
    services: {
      [LOG_SERVICE]: serveLogs(own),
      [SEARCH_SERVICE]: serveSearch(own),
      [TERMINAL_SERVICE]: serveTerminal(own),
      [HOST_TERMINAL_SERVICE]: serveHostTerminal(own),
    },
    onWake: () => standing.say("beat"),
    onEnd(error) {
      said = error;
      standing.say("beat");
    },
  });
  const reporter = createReporter(own);
  const renewer = createRenewer(own, link, client);
  const readPage = createPageReader(own);
  let failures = 0;
  let aheadMs = 0;
  standing.note({
    phase: "connecting",
    nextTryAt: null,
    lastError: null,
    aheadMs: null,
    lastHeartbeatAt: null,
    reached: null,
  });

  const panelNow = (): number => clock.now() - aheadMs;

  async function contact(): Promise<number> {
    const last = said;
    said = null;
    if (last) throw last;
    await renewer.renewIfDue(panelNow());
    const results = collectResults(db, row.membership);
    const report = await reporter.compose({
      ca_bundle: link.row().ca_bundle,
      license_id: standing.license()?.id ?? null,
    });
    const sentAt = clock.now();
    const reply = await client.heartbeat({ ...report, ...(results.length > 0 ? { results } : {}) });
    // Whatever ended meanwhile was a former connection.
    said = null;
    noteSkew(clockSkew(sentAt, clock.now(), reply.server_time));
    const met = { agent_url: row.agent_url, reached: client.reached() };
    const { isTrustNew } = takeAnswer(own, link, reply, await readPage(reply.panel_url, link.row().panel_url, met));
    if (isTrustNew) client.use(link.trust());
    resultsHeard(db, row.membership, results);
    reporter.heard();
    failures = 0;
    const waitMs = seconds(reply.next_heartbeat_sec);
    const now = clock.now();
    standing.note({
      phase: "connected",
      lastHeartbeatAt: now,
      nextTryAt: now + waitMs,
      lastError: null,
      reached: met.reached,
    });
    return waitMs;
  }

  function noteSkew(skew: number | null): void {
    if (skew === null) return;
    if (isSkewed(skew) && !isSkewed(aheadMs)) {
      const ahead_seconds = Math.round(skew / 1000);
      log.warn("this server's clock differs from the panel's", { ahead_seconds });
      own.bus.emit("panel.clock_skewed", { ahead_seconds });
    }
    aheadMs = skew;
    standing.note({ aheadMs: skew });
  }

  function retry(error: Error, waitS: number | null): number {
    failures += 1;
    reporter.forget();
    // A connection closed without a word may be about the certificate shown: the other one is tried in turn.
    if (error instanceof AgentCallError && error.kind === "dropped") {
      link.swap();
      client.use(link.trust());
    }
    const isReplaced = error instanceof AgentCallError && error.refusal?.code === "session_replaced";
    // Two copies of a server that took each other's place at once would do so for ever.
    const backoff = isReplaced ? LONGEST_RETRY_MS * own.random() : retryMs(failures, own.random);
    const waitMs = Math.max(backoff, Math.min(seconds(waitS ?? 0), LONGEST_RETRY_MS));
    if (failures === 1) log.warn("the panel cannot be reached", { error });
    standing.note({ phase: "retrying", lastError: error.message, nextTryAt: clock.now() + waitMs });
    return waitMs;
  }

  function end(verdict: Exclude<Verdict, "retry">): null {
    const { ended, reason } = ENDS[verdict];
    db.tx(() => {
      link.save({ ended, ended_reason: reason });
      if (ended === "disconnected") return;
      if (ended === "deleted") {
        const { agent_url: panel, membership } = row;
        endMembership(own, { panel, by: PANEL, ip: "", membership, goesOn: null });
      }
      own.bus.emit("panel.ended", { panel: link.row().agent_url, reason: ended, ip: "" });
    });
    log.warn("the panel has no place for this node any more", { reason });
    return null;
  }

  function judge(error: AgentCallError): number | null {
    const verdict = judgeFailure(error, link.standpoint(panelNow()));
    if (verdict === "retry") return retry(error, error.refusal?.retryAfterS ?? null);
    if (verdict === "certificate_refused" && changeCertificate(link)) {
      client.use(link.trust());
      return 0;
    }
    return end(verdict);
  }

  return {
    async beat() {
      try {
        return await contact();
      } catch (error) {
        if (!(error instanceof AgentCallError)) throw error;
        return own.signal.aborted ? null : judge(error);
      }
    },
    forgetHeard: () => reporter.forget(),
    close: () => client.close(),
  };
}

/** After a refusal: holds the other certificate from now on; false when there is none. */
function changeCertificate(link: HeldLink): boolean {
  const credentials = link.credentials();
  const other = link.isOnFormer() ? confirmCredential(credentials) : refuseCredential(credentials);
  if (!other) return false;
  link.hold(other);
  return true;
}
