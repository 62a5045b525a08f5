import { createServer, type Server, type Socket } from "node:net";
import { TypeCompiler } from "@sinclair/typebox/compiler";
import { AppError } from "../../../kernel/http/errors.ts";
import { createBucketLimiter } from "../../../kernel/http/limit.ts";
import type { Log } from "../../../kernel/log.ts";
import type { Clock } from "../../../lib/clock.ts";
import { minutes, seconds } from "../../../lib/duration.ts";
import type { AnswerVerb } from "./answer-verb.ts";
import { createLineCutter, type EventFrame, FRAME_BYTES, QuestionFrame, readFrame, writeFrame } from "./frames.ts";
import type { HostWork } from "./host-work.ts";
import { createRoleTalk } from "./talk.ts";
import { hostFail, isTalk } from "./verbs.ts";

/** Connections at a time; the node asks one or two things at once. Terminals have places of their own. */
const MAX_CONNECTIONS = 16;
const MAX_TALKS = 24;
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
  /** Takes no more questions and leaves when those that it has are answered, whether or not their askers still wait. */
  leave(): void;
  /** Resolves when it has left, after `leave`, by being idle, or because another version asked; no work is under way then. */
  left: Promise<void>;
}

const isQuestion = TypeCompiler.Compile(QuestionFrame);

/** Answers verbs on a socket, one for each connection, until it has been idle for long enough. */
export function createHostServer({ answer, clock, log, version, idleMs }: HostServerDeps): HostServer {
  const pace = createBucketLimiter(clock, PACE.perSecond, PACE.burst);
  const open = new Set<Socket>();
  /** Questions whose work is under way: it goes on to its end when the asker is gone, and the role with it. */
  let working = 0;
  /** Those of them that are talks. */
  let talking = 0;
  const leaving = new AbortController();
  let isLeaving = false;
  let isClosed = false;
  let stopIdleTimer = () => {};
  const { promise: left, resolve: haveLeft } = Promise.withResolvers<void>();
  const server: Server = createServer((socket) => serve(socket));

  /** Work comes to its end; terminals are hung up. */
  function beginLeaving(): void {
    isLeaving = true;
    leaving.abort(new Error("the host role leaves"));
  }

  function leave(): void {
    beginLeaving();
    stopIdleTimer();
    // Until then whoever else asks is told that it is busy, instead of waiting for nobody.
    if (working > 0 || isClosed) return;
    isClosed = true;
    server.close(() => haveLeft());
  }

  function waitIdle(): void {
    stopIdleTimer();
    if (open.size === 0 && working === 0 && !isLeaving) stopIdleTimer = clock.after(idleMs, leave);
  }

  function serve(socket: Socket): void {
    const isTooMuch = open.size - talking >= MAX_CONNECTIONS || pace.take("all") > 0;
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
    let hear: ((line: string) => boolean) | null = null;
    // One question a connection: what else comes is not even kept, but for a verb that talks.
    socket.on("data", (chunk: Buffer) => {
      const lines = isAsked && hear === null ? [] : cutter.add(chunk);
      if (lines.length === 0) return;
      const isFirst = !isAsked;
      isAsked = true;
      if (isFirst) take(lines);
      if (hear === null) return;
      const said = lines === "too long" ? null : lines.slice(isFirst ? 1 : 0);
      // Whoever talks out of turn is hung up.
      if (said === null || !said.every(hear)) socket.destroy();
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
      } else if (working > 0 && (isLeaving || question.version !== version)) {
        beginLeaving();
        bye(failed(hostFail("host_role_busy")));
      } else if (isTalk(question.verb) && talking >= MAX_TALKS) {
        bye(failed(hostFail("host_role_busy")));
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

    /** For a verb that talks the way to talk, which ends when the role leaves. */
    function workOf({ verb }: QuestionFrame): HostWork {
      if (!isTalk(verb)) return { onLine: tell, signal: gone.signal };
      const signal = AbortSignal.any([gone.signal, leaving.signal]);
      const own = createRoleTalk((frame) => void socket.write(writeFrame(frame)), signal);
      hear = own.hear;
      return { onLine: tell, signal, talk: own.talk };
    }

    async function finish(question: QuestionFrame): Promise<void> {
      working += 1;
      const isTalking = isTalk(question.verb);
      talking += isTalking ? 1 : 0;
      try {
        const output = await answer(question, workOf(question));
        bye({ event: "done", output });
      } catch (error) {
        if (!(error instanceof AppError) && !gone.signal.aborted) log.error("host role failed", { error });
        const reason = "it failed inside";
        const next_step = "Its log has the cause: journalctl -u orrery-host.";
        bye(failed(error instanceof AppError ? error : hostFail("host_role_unavailable", { reason, next_step })));
      } finally {
        working -= 1;
        talking -= isTalking ? 1 : 0;
        if (isLeaving) leave();
        else waitIdle();
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
