import { TypeCompiler } from "@sinclair/typebox/compiler";
import { AppError } from "../../../kernel/http/errors.ts";
import type { SocketSession } from "../../../kernel/http/socket.ts";
import { seconds } from "../../../lib/duration.ts";
import { createTimeLimits, HARD_LIMIT_MS, IDLE_MS, type TimeLimits } from "../../../lib/terminal-time.ts";
import { MOST_COLUMNS, MOST_ROWS, TerminalItem } from "../../../shared/agent-protocol/index.ts";
import { countedAs } from "../../actor.ts";
import { type NodeStream, StreamEnded } from "../../agents/agent-port/index.ts";
import { byMember } from "../../event-meaning.ts";
import { type Recorder, RecordingFailed } from "../terminal-recordings/index.ts";
import type { TerminalEnd, TerminalQuery } from "./contract.ts";
import type { Grant, Own } from "./needs.ts";
import { mayStay, redeemTicket, serviceOf } from "./tickets.ts";

const USER_LIMIT = 5;
const NODE_LIMIT = 10;
/** For the node to have a shell ready. */
const READY_MS = seconds(20);
const RECHECK_MS = seconds(15);
/** Of what is typed; a frame of the control session is as large as what was pasted. */
const PIECE = 2_048;

const items = TypeCompiler.Compile(TerminalItem);

/** What a browser is told of an end that is no exit. */
const WORDS: Partial<Record<TerminalEnd, string>> = {
  agent_offline: "The server's connection to this panel is gone, and the shell ended with it.",
  shell_disabled:
    "Terminals from the panel are off on this server. Its owner can let them in, in the server's own dashboard.",
  too_many: "Too many terminals are open in your name or on this server. Close one, then try again.",
  pty_failed: "The server opened no terminal.",
  timeout: "The server did not open the terminal in time. Try again.",
};

/** An end, with the node's own words where it has some. */
interface End {
  reason: TerminalEnd;
  words?: string;
}

/** Lets whoever brings a ticket talk to a shell on a node, until either side ends it. Its start and its end are on record. */
export async function serveTerminal(
  own: Own,
  session: SocketSession,
  nodeId: string,
  { ticket, cols = 80, rows = 24 }: TerminalQuery,
): Promise<void> {
  try {
    const grant = await redeemTicket(own, ticket, nodeId);
    const { reason, words } = await occupy(own, session, grant, { cols, rows });
    if (session.signal.aborted) return;
    const error = words ?? WORDS[reason];
    session.sendJson(error === undefined ? { type: "exit", reason } : { type: "error", code: reason, error });
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    session.sendJson({ type: "error", code: error.code, error: error.message });
  }
}

interface Size {
  cols: number;
  rows: number;
}

async function occupy(own: Own, session: SocketSession, grant: Grant, size: Size): Promise<End> {
  const { actor, ip, node_id, app, service } = grant;
  const ofUser = [...own.open].filter((each) => each.actor.account_id === actor.account_id).length;
  const ofNode = [...own.open].filter((each) => each.node_id === node_id).length;
  if (ofUser >= USER_LIMIT || ofNode >= NODE_LIMIT) return { reason: "too_many" };
  own.open.add(grant);
  const terminal_id = own.ids.next("trm");
  const about = { by: byMember(actor, ip), node_id, app, terminal_id };
  const startedAt = own.clock.monotonic();
  let end: End = { reason: "pty_failed" };
  let recorder: Recorder | null = null;
  try {
    recorder = await own.recordings.begin({ actor, node_id, app, columns: size.cols, rows: size.rows });
    await actor.db.tx((tx) => own.bus.emit(tx, "fleet.terminal.start", about));
    const params = app === "" ? {} : { app, ...(service === null ? {} : { service }) };
    const stream = own.agentPort.openStream(node_id, actor.tenant_id, {
      ...{ service: serviceOf(app), params },
      ...{ use: "terminals", reader: countedAs(actor) },
    });
    end = stream
      ? await talk(own, session, { stream, grant, terminal_id, size, recorder })
      : { reason: "agent_offline" };
    return end;
  } catch (error) {
    if (!(error instanceof RecordingFailed)) throw error;
    end = { reason: "recording_failed", words: error.message };
    return end;
  } finally {
    await recorder?.end();
    own.open.delete(grant);
    const duration_s = Math.round((own.clock.monotonic() - startedAt) / 1000);
    const told = { ...about, reason: end.reason, duration_s };
    await actor.db.forRecord().tx((tx) => own.bus.emit(tx, "fleet.terminal.end", told));
  }
}

interface Talk {
  stream: NodeStream;
  grant: Grant;
  terminal_id: string;
  size: Size;
  recorder: Recorder | null;
}

/** Carries bytes both ways until one of the sides, or the time, ends it. */
async function talk(
  own: Own,
  session: SocketSession,
  { stream, grant, terminal_id, size, recorder }: Talk,
): Promise<End> {
  const { clock, signal, log } = own;
  const { promise: ended, resolve } = Promise.withResolvers<End>();
  const limits = createTimeLimits(clock, (reason, ends_in_sec) =>
    session.sendJson({ type: "warning", reason, ends_in_sec }),
  );
  const cancelReady = clock.after(READY_MS, () => resolve({ reason: "timeout" }));
  const isReady = () => {
    cancelReady();
    const ready = { session_id: terminal_id, idle_timeout_sec: IDLE_MS / 1000, max_duration_sec: HARD_LIMIT_MS / 1000 };
    session.sendJson({ type: "ready", ...ready, recorded: recorder !== null });
    void stream.send({ word: { type: "resize", columns: size.cols, rows: size.rows } });
  };
  const askAgain = () => {
    mayStay(own, grant).then(
      (stays) => stays || resolve({ reason: "access_ended" }),
      (error: unknown) => log.warn("it could not be asked whether a terminal may stay open", { error }),
    );
  };
  const stopRecheck = clock.every(RECHECK_MS, askAgain);
  const stopListening = own.accessEnds.of(grant.actor).onChange(askAgain);
  const left = () => resolve({ reason: signal.aborted ? "panel_stopped" : "left" });
  session.signal.addEventListener("abort", left, { once: true });
  if (session.signal.aborted) left();
  void limits.over.then((reason) => resolve({ reason }));
  void recorder?.broken.then((words) => resolve({ reason: "recording_failed", words }));
  carryOutput(session, stream, recorder, isReady).then(resolve, (error: unknown) => {
    log.error("terminal output failed", { error });
    resolve({ reason: "pty_failed" });
  });
  carryInput(session, stream, recorder, limits).catch((error: unknown) =>
    log.error("terminal input failed", { error }),
  );
  try {
    return await ended;
  } finally {
    cancelReady();
    stopRecheck();
    stopListening();
    limits.stop();
    stream.close();
  }
}

/** Each piece waits for the browser to take it before the node may send more: a browser that stalls stops the program, not us. */
async function carryOutput(
  session: SocketSession,
  { items: sent }: NodeStream,
  recorder: Recorder | null,
  isReady: () => void,
): Promise<End> {
  try {
    for await (const item of sent) {
      if (!items.Check(item)) return { reason: "pty_failed" };
      if ("bytes" in item) {
        const bytes = Buffer.from(item.bytes, "base64");
        // Before anybody sees it.
        await recorder?.output(bytes);
        await session.sendBytesInTurn(bytes);
        continue;
      }
      const { type, reason, message } = item.word;
      if (type === "ready") isReady();
      if (type === "exit") return { reason: "exited" };
      if (type === "ended") return endOf(String(reason), message);
    }
    return { reason: "exited" };
  } catch (error) {
    if (error instanceof RecordingFailed) return { reason: "recording_failed", words: error.message };
    if (!(error instanceof StreamEnded)) throw error;
    return endOf(error.failure.code, error.failure.message);
  }
}

/** What a node says of an end, in our words: it may be older or newer than we are. */
function endOf(code: string, message: unknown): End {
  const words = typeof message === "string" ? { words: message } : {};
  if (code === "idle" || code === "too_long") return { reason: code };
  if (code === "agent_offline") return { reason: code };
  if (code === "shell_disabled") return { reason: code };
  if (code === "host_terminal_off" || code === "turned_off") return { reason: "shell_disabled", ...words };
  if (code === "exec_too_many" || code === "streams_full") return { reason: "too_many", ...words };
  return { reason: "pty_failed", ...words };
}

async function carryInput(
  session: SocketSession,
  stream: NodeStream,
  recorder: Recorder | null,
  limits: TimeLimits,
): Promise<void> {
  for await (const message of session.messages) {
    if (message.kind === "bytes") {
      limits.typed();
      for (let at = 0; at < message.bytes.byteLength; at += PIECE)
        await stream.send({ bytes: Buffer.from(message.bytes.subarray(at, at + PIECE)).toString("base64") });
      continue;
    }
    const { type, cols, rows } = message.value;
    if (type !== "resize" || !isSize(cols, MOST_COLUMNS) || !isSize(rows, MOST_ROWS)) continue;
    recorder?.resize(cols, rows);
    await stream.send({ word: { type: "resize", columns: cols, rows } });
  }
}

const isSize = (value: unknown, most: number): value is number =>
  typeof value === "number" && Number.isInteger(value) && value >= 1 && value <= most;
