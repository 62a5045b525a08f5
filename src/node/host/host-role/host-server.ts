import { createServer, type Server, type Socket } from "node:net";
import { TypeCompiler } from "@sinclair/typebox/compiler";
import { AppError } from "../../../kernel/http/errors.ts";
import { createBucketLimiter } from "../../../kernel/http/limit.ts";
import type { Log } from "../../../kernel/log.ts";
import type { Clock } from "../../../lib/clock.ts";
import { minutes, seconds } from "../../../lib/duration.ts";
import type { AnswerVerb } from "./answer-verb.ts";
import { createLineCutter, type EventFrame, FRAME_BYTES, QuestionFrame, readFrame, writeFrame } from "./frames.ts";
import { hostFail } from "./verbs.ts";

/** Connections at a time; the node asks one or two things at once. */
const MAX_CONNECTIONS = 16;
/** Questions a second, and at once. */
const PACE = { perSecond: 20, burst: 60 } as const;
/** A question is one line that its asker has ready. */
const QUESTION_MS = seconds(5);
/** What an asker who does not read lets pile up; lines beyond it are left out, the answer never. */
const MAX_WAITING_BYTES = 262_144;
/** Then it has to be read. */
const FAREWELL_MS = seconds(10);
/** It leaves when nobody has asked for so long. */
export const IDLE_MS = minutes(5);

export interface HostServerDeps {
  answer: AnswerVerb;
  clock: Clock;
  log: Log;
  version: string;
  idleMs: number;
}

export interface HostServer {
  /** Resolves when it listens. */
  listen(where: { path: string } | { fd: number }): Promise<void>;
  /** Takes no more questions; those that it has are answered. */
  leave(): void;
  /** Resolves when it has left, after `leave`, by being idle, or because another version asked. */
  left: Promise<void>;
}

const isQuestion = TypeCompiler.Compile(QuestionFrame);

/** Answers verbs on a socket, one for each connection, until it has been idle for long enough. */
export function createHostServer({ answer, clock, log, version, idleMs }: HostServerDeps): HostServer {
  const pace = createBucketLimiter(clock, PACE.perSecond, PACE.burst);
  const open = new Set<Socket>();
  let isLeaving = false;
  let stopIdleTimer = () => {};
  const { promise: left, resolve: haveLeft } = Promise.withResolvers<void>();
  const server: Server = createServer((socket) => serve(socket));

  function leave(): void {
    if (isLeaving) return;
    isLeaving = true;
    stopIdleTimer();
    server.close(() => haveLeft());
  }

  function waitIdle(): void {
    stopIdleTimer();
    if (open.size === 0 && !isLeaving) stopIdleTimer = clock.after(idleMs, leave);
  }

  function serve(socket: Socket): void {
    const isTooMuch = open.size >= MAX_CONNECTIONS || pace.take("all") > 0;
    open.add(socket);
    stopIdleTimer();
    const gone = new AbortController();
    const stopWaiting = clock.after(QUESTION_MS, () => socket.destroy());
    socket.on("error", () => {});
    socket.on("close", () => {
      stopWaiting();
      open.delete(socket);
      gone.abort(new Error("whoever asked went away"));
      waitIdle();
    });
    const bye = (frame: EventFrame) => {
      stopWaiting();
      clock.after(FAREWELL_MS, () => socket.destroy());
      socket.end(writeFrame(frame));
    };

    const cutter = createLineCutter(FRAME_BYTES.question);
    let isAsked = false;
    // One question a connection: what else comes is not even kept.
    socket.on("data", (chunk: Buffer) => {
      const lines = isAsked ? [] : cutter.add(chunk);
      if (lines.length === 0) return;
      isAsked = true;
      take(lines);
    });
    if (isTooMuch) {
      isAsked = true;
      bye(failed(hostFail("host_role_busy")));
    }

    function take(lines: string[] | "too long"): void {
      const question = lines === "too long" ? null : readFrame(lines[0] ?? "");
      if (!isQuestion.Check(question)) {
        const reason = lines === "too long" ? "the question is too long" : "this is no question of the host role";
        bye(failed(hostFail("host_request_refused", { reason })));
      } else if (question.version !== version) {
        log.info("host role leaves, another version asks", { version: question.version });
        leave();
        bye({ event: "leaving" });
      } else {
        stopWaiting();
        socket.write(writeFrame({ event: "begun" }));
        void finish(question);
      }
    }

    async function finish(question: QuestionFrame): Promise<void> {
      try {
        const output = await answer(question, { onLine: tell, signal: gone.signal });
        bye({ event: "done", output });
      } catch (error) {
        if (!(error instanceof AppError) && !gone.signal.aborted) log.error("host role failed", { error });
        const reason = "it failed inside";
        const next_step = "Its log has the cause: journalctl -u orrery-host.";
        bye(failed(error instanceof AppError ? error : hostFail("host_role_unavailable", { reason, next_step })));
      }
    }

    let leftOut = 0;
    function tell(line: string): void {
      if (socket.writableLength > MAX_WAITING_BYTES) leftOut += 1;
      if (socket.writableLength > MAX_WAITING_BYTES) return;
      if (leftOut > 0) socket.write(writeFrame({ event: "line", line: `… ${leftOut} lines left out` }));
      leftOut = 0;
      socket.write(writeFrame({ event: "line", line }));
    }
  }

  return {
    left,
    leave,
    listen: (where) =>
      new Promise((resolve, reject) => {
        server.once("error", reject);
        server.listen(where, () => {
          server.off("error", reject);
          server.on("error", (error) => log.error("host role cannot listen", { error }));
          waitIdle();
          resolve();
        });
      }),
  };
}

const failed = ({ code, params }: AppError): EventFrame => ({ event: "failed", code, params });
