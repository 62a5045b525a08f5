import type { SocketSession } from "../../../kernel/http/socket.ts";
import type { Log } from "../../../kernel/log.ts";
import type { Clock } from "../../../lib/clock.ts";
import { seconds } from "../../../lib/duration.ts";
import { createTimeLimits, type TimeEnd, type TimeLimits } from "../../../lib/terminal-time.ts";
import { MAX_COLUMNS, MAX_ROWS } from "./contract.ts";

/** Signs of life of who types are noted this often. */
const NOTE_MS = seconds(30);

/** A program on a terminal, wherever it is. */
export interface TerminalLine<End extends string> {
  /** Passes on what it says, each piece when the one before is taken; resolves with how it ended. */
  carryOutput(send: (bytes: Uint8Array) => Promise<void>): Promise<End>;
  write(bytes: Uint8Array): Promise<void>;
  resize(size: { columns: number; rows: number }): Promise<void>;
  close(): void;
  /** Told that somebody types, twice a minute at most. */
  note(): void;
}

type Deps = { clock: Clock; log: Log };

/** Carries bytes both ways until the program ends, the client leaves or the time is over. A client that stalls stops the program, not us. */
export async function talk<End extends string>(
  deps: Deps,
  session: SocketSession,
  line: TerminalLine<End>,
): Promise<End | TimeEnd | "left"> {
  const limits = createTimeLimits(deps.clock, (reason, ends_in_s) =>
    session.sendJson({ type: "warning", reason, ends_in_s }),
  );
  const hasLeft = new Promise<"left">((resolve) => {
    if (session.signal.aborted) return resolve("left");
    session.signal.addEventListener("abort", () => resolve("left"), { once: true });
  });
  try {
    carryInput(deps, session, line, limits).catch((error: unknown) =>
      deps.log.error("terminal input failed", { error }),
    );
    const carried = line
      .carryOutput(session.sendBytes)
      .then((end): End | "left" => (session.signal.aborted ? "left" : end));
    return await Promise.race([carried, hasLeft, limits.over]);
  } finally {
    limits.stop();
    line.close();
  }
}

async function carryInput(
  { clock }: Deps,
  session: SocketSession,
  line: TerminalLine<string>,
  limits: TimeLimits,
): Promise<void> {
  let notedAt = Number.NEGATIVE_INFINITY;
  for await (const message of session.messages) {
    if (message.kind === "bytes") {
      limits.typed();
      if (clock.monotonic() - notedAt >= NOTE_MS) {
        notedAt = clock.monotonic();
        line.note();
      }
      await line.write(message.bytes);
      continue;
    }
    const { type, columns, rows } = message.value;
    if (type === "resize" && isSize(columns, MAX_COLUMNS) && isSize(rows, MAX_ROWS))
      await line.resize({ columns, rows });
  }
}

const isSize = (value: unknown, max: number): value is number =>
  typeof value === "number" && Number.isInteger(value) && value >= 1 && value <= max;
