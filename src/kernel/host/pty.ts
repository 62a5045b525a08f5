import { dlopen, FFIType } from "bun:ffi";
import { closeSync, constants, openSync, readlinkSync } from "node:fs";
import { createChannel } from "../../lib/channel.ts";
import { systemClock } from "../../lib/clock.ts";
import { seconds } from "../../lib/duration.ts";
import { findProgram } from "./run-program.ts";

/** Size of a terminal. */
export interface PtySize {
  columns: number;
  rows: number;
}

/** A program on a terminal of its own. */
export interface Pty {
  /** What it says, in order; while nobody takes it the program waits. Ends with the program. One reader. */
  readonly output: AsyncIterable<Uint8Array>;
  /** With what it ended; null when a signal ended it. */
  readonly exited: Promise<number | null>;
  /** Types; resolves when the terminal has it, or is gone. One at a time. */
  write(bytes: Uint8Array): Promise<void>;
  resize(size: PtySize): void;
  /** Hangs up, which ends what was started from it; a shell that stays all the same is killed with its group a while later. */
  close(): void;
}

/** What runs, as whom it looks, and where. */
export interface PtySpec {
  argv: readonly string[];
  /** Its whole environment. */
  env: Readonly<Record<string, string>>;
  cwd: string;
  size: PtySize;
}

export type OpenPty = (spec: PtySpec) => Pty;

/** Of what waits to be taken: above the first the program is held, below the second it goes on. */
const HOLD_BYTES = 65_536;
const GO_ON_BYTES = 16_384;
/** `TCOOFF` and `TCOON` of termios.h. */
const FLOW = { hold: 0, goOn: 1 } as const;
/** What it still says after its shell has ended may take so long; something left behind may hold the terminal for good. */
const LAST_WORDS_MS = 250;
const KILL_MS = seconds(5);

/**
 * Starts a program on a new terminal, by `setsid`, which makes the terminal the one whose Ctrl-C and hang-up it hears. Throws what the system says where there is no terminal left; a
 * program that is not there ends with 127.
 */
export const openPty: OpenPty = ({ argv, env, cwd, size }) => {
  const said = createChannel<Uint8Array>(Number.POSITIVE_INFINITY);
  const { promise: gone, resolve: end } = Promise.withResolvers<void>();
  let waiting = 0;
  let isHeld = false;
  let isOver = false;
  let drained = (): void => {};
  const finish = (): void => {
    isOver = true;
    said.close();
    end();
  };
  const terminal = new Bun.Terminal({
    cols: size.columns,
    rows: size.rows,
    data(_, bytes) {
      // They are only lent.
      const own = Uint8Array.from(bytes);
      waiting += own.byteLength;
      said.push(own);
      if (waiting > HOLD_BYTES) flow("hold");
    },
    drain: () => drained(),
    exit: finish,
  });
  const child = start();
  const path = findPath(child.pid);

  function start() {
    try {
      return Bun.spawn([findProgram("setsid"), "-c", ...argv], { terminal, env: { ...env }, cwd });
    } catch (error) {
      terminal.close();
      throw error;
    }
  }

  /** Holds the program as the terminal's own flow control does; it can still be interrupted. */
  function flow(way: keyof typeof FLOW): void {
    if (path === null || isOver || isHeld === (way === "hold")) return;
    isHeld = way === "hold";
    setFlow(path, FLOW[way]);
  }

  async function* take(): AsyncGenerator<Uint8Array> {
    for await (const bytes of said) {
      yield bytes;
      waiting -= bytes.byteLength;
      if (waiting < GO_ON_BYTES) flow("goOn");
    }
  }

  return {
    output: take(),
    exited: child.exited.then(async () => {
      await Promise.race([gone, systemClock.sleep(LAST_WORDS_MS)]);
      finish();
      return child.exitCode;
    }),
    async write(bytes) {
      if (isOver || bytes.byteLength === 0) return;
      const flushed = new Promise<void>((resolve) => {
        drained = resolve;
      });
      terminal.write(bytes);
      await Promise.race([flushed, gone]);
    },
    resize({ columns, rows }) {
      if (!isOver) terminal.resize(columns, rows);
    },
    close() {
      finish();
      if (!terminal.closed) terminal.close();
      const stopWaiting = systemClock.after(KILL_MS, () => process.kill(-child.pid, "SIGKILL"));
      void child.exited.then(stopWaiting);
    },
  };
};

/** Where the terminal is that a program was given; null where it has ended already. */
function findPath(pid: number): string | null {
  try {
    return readlinkSync(`/proc/${pid}/fd/0`);
  } catch {
    return null;
  }
}

function setFlow(path: string, way: number): void {
  const terminal = openSync(path, constants.O_RDWR | constants.O_NOCTTY);
  try {
    const libc = dlopen("libc.so.6", { tcflow: { args: [FFIType.i32, FFIType.i32], returns: FFIType.i32 } });
    libc.symbols.tcflow(terminal, way);
    libc.close();
  } finally {
    closeSync(terminal);
  }
}
