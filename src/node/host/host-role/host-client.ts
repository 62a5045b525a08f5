import { connect } from "node:net";
import { TypeCompiler } from "@sinclair/typebox/compiler";
import type { Clock } from "../../../lib/clock.ts";
import { seconds } from "../../../lib/duration.ts";
import { createLineCutter, EventFrame, FRAME_BYTES, type QuestionFrame, readFrame, writeFrame } from "./frames.ts";
import type { HostWork } from "./host-work.ts";
import { createAskerTalk } from "./talk.ts";
import { hostFail } from "./verbs.ts";

/** Until the first answer: systemd may have to start it, on a machine that is busy. */
const BEGIN_MS = seconds(30);
/** How often one of another version is waited for until it has left. */
const TRIES = 20;
const AGAIN_MS = 250;

const isEvent = TypeCompiler.Compile(EventFrame);

interface Deps {
  clock: Pick<Clock, "after" | "sleep">;
  /** Path of the socket. */
  path: string;
}

/** Puts one question to the host role behind a socket and waits for its answer, which is still to be checked. */
export async function askHost(deps: Deps, question: QuestionFrame, work: HostWork): Promise<unknown> {
  for (let tries = 0; tries < TRIES; tries++) {
    const answer = await askOnce(deps, question, work);
    if (answer !== "leaving") return answer.output;
    await deps.clock.sleep(AGAIN_MS, work.signal);
    work.signal?.throwIfAborted();
  }
  throw unavailable("it still runs in another version", "Try again when what it does now is done.");
}

function askOnce(
  { clock, path }: Deps,
  question: QuestionFrame,
  { onLine, signal, talk }: HostWork,
): Promise<{ output: unknown } | "leaving"> {
  return new Promise((resolve, reject) => {
    signal?.throwIfAborted();
    const socket = connect({ path });
    let isDone = false;
    const cutter = createLineCutter(FRAME_BYTES.event);
    const over = new AbortController();
    const own = talk && createAskerTalk(talk, (frame) => void socket.write(writeFrame(frame)), over.signal);
    const settle = (end: () => void) => {
      stopWaiting();
      over.abort(new Error("the talk is over"));
      signal?.removeEventListener("abort", abort);
      socket.destroy();
      end();
    };
    const abort = () => settle(() => reject(signal?.reason));
    const lose = (reason: string) => settle(() => reject(unavailable(reason)));
    const stopWaiting = clock.after(BEGIN_MS, () => lose(`it did not begin within ${BEGIN_MS / 1000} seconds`));
    signal?.addEventListener("abort", abort);

    function take(line: string): void {
      const event = readFrame(line);
      if (!isEvent.Check(event)) lose("it does not speak as it should");
      else if (event.event === "begun") begin();
      else if (event.event === "line") onLine(event.line);
      else if (event.event === "leaving") settle(() => resolve("leaving"));
      else if (event.event === "done") finish(event.output);
      else if (event.event === "failed") settle(() => reject(readFailure(event.code, event.params)));
      else own?.hear(event);
    }

    function begin(): void {
      stopWaiting();
      own?.carry().catch((error: unknown) => settle(() => reject(error)));
    }

    /** What the program said last is taken before its end is told. */
    function finish(output: unknown): void {
      isDone = true;
      const end = () => settle(() => resolve({ output }));
      if (own === undefined) end();
      else own.taken().then(end, (error: unknown) => settle(() => reject(error)));
    }

    socket.on("connect", () => socket.write(writeFrame(question)));
    socket.on("data", (chunk: Buffer) => {
      const lines = cutter.add(chunk);
      if (lines === "too long") lose("it says more than it should");
      else for (const line of lines) take(line);
    });
    socket.on("error", (error) => lose(describe(error)));
    socket.on("close", () => isDone || lose("it ended before it had answered"));
  });
}

const isCode = (code: string): code is keyof typeof hostFail.table => Object.hasOwn(hostFail.table, code);

function readFailure(code: string, params: Record<string, unknown>): Error {
  return isCode(code) ? hostFail(code, params) : unavailable(`it failed with ${code}`);
}

function describe(error: Error & { code?: string }): string {
  if (error.code === "ENOENT" || error.code === "ECONNREFUSED") return "its socket is not there";
  return error.message;
}

function unavailable(reason: string, next_step = "On the server, look at: systemctl status orrery-host.socket"): Error {
  return hostFail("host_role_unavailable", { reason, next_step });
}
