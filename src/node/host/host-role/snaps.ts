import type { RunProgram } from "../../../kernel/host/run-program.ts";
import { minutes, seconds } from "../../../lib/duration.ts";
import type { HostWork } from "./host-work.ts";
import { lastLines } from "./last-lines.ts";
import { type HostSnap, hostFail, type VerbInput, type VerbOutput } from "./verbs.ts";

type SnapState = VerbOutput<"snap.state">;

const ENV = { LANG: "C.UTF-8", LC_ALL: "C.UTF-8" };
const QUESTION_MS = seconds(20);
/** It ends all containers first, each in its own time. */
const CHANGE_MS = minutes(5);
const GRACE_MS = seconds(10);
const NO_PROGRAM = 127;

export interface Snaps {
  state(snap: HostSnap): Promise<SnapState>;
  set(wanted: VerbInput<"snap.set">, work: HostWork): Promise<SnapState>;
}

/** The programs of the snap store on this server. They are switched, never removed: their data stays as it is. */
export function createSnaps(run: RunProgram): Snaps {
  async function state(snap: HostSnap): Promise<SnapState> {
    const { code, stdout } = await run(["snap", "list", "--", snap], { timeoutMs: QUESTION_MS, env: ENV });
    // Name, version, revision, channel, publisher, and notes with commas between them.
    const row = stdout.split("\n").find((line) => line.split(/\s+/)[0] === snap);
    if (code !== 0 || row === undefined) return { installed: false, enabled: false };
    const notes = row.trim().split(/\s+/).at(-1)?.split(",") ?? [];
    return { installed: true, enabled: !notes.includes("disabled") };
  }

  return {
    state,
    async set({ snap, enabled }, { onLine }) {
      const before = await state(snap);
      if (!before.installed) throw hostFail("snap_unknown", { snap });
      if (before.enabled === enabled) return before;
      const argv = ["snap", enabled ? "enable" : "disable", "--", snap];
      const end = await run(argv, { timeoutMs: CHANGE_MS, graceMs: GRACE_MS, env: ENV, onLine });
      const after = await state(snap);
      const task = enabled ? "switched on" : "switched off";
      if (end.code === NO_PROGRAM) throw hostFail("snap_unknown", { snap });
      if (end.code !== 0 || after.enabled !== enabled)
        throw hostFail("snap_failed", { snap, task, last_lines: lastLines(end) });
      return after;
    },
  };
}
