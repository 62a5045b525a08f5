import type { ProgramEnd, RunProgram } from "../../../kernel/host/run-program.ts";
import { minutes, seconds } from "../../../lib/duration.ts";
import type { HostWork } from "./host-work.ts";
import { lastLines } from "./last-lines.ts";
import { HOST_UNITS, type HostUnit, hostFail, type VerbInput, type VerbOutput } from "./verbs.ts";

type UnitState = VerbOutput<"unit.state">;

const ENV = { LANG: "C.UTF-8", LC_ALL: "C.UTF-8", SYSTEMD_PAGER: "", SYSTEMD_COLORS: "0" };
const QUESTION_MS = seconds(20);
const CHANGE_MS = minutes(3);
const GRACE_MS = seconds(5);
const NO_UNIT: UnitState = { active: false, enabled: false, failed: false, exists: false };

export interface Units {
  state(unit: HostUnit): Promise<UnitState>;
  set(wanted: VerbInput<"unit.set">, work: HostWork): Promise<UnitState>;
  /** Has systemd forget how units failed whose package is gone: it would call the server degraded until the next boot. */
  forgetGone(): Promise<void>;
}

/** The units of this server, by systemctl. */
export function createUnits(run: RunProgram): Units {
  /** Null where systemd does not answer. */
  async function read(unit: HostUnit): Promise<UnitState | null> {
    const properties = "--property=LoadState,ActiveState,UnitFileState";
    const { code, stdout } = await run(["systemctl", "show", properties, "--", unit], {
      timeoutMs: QUESTION_MS,
      env: ENV,
    });
    if (code !== 0) return null;
    const values = new Map(stdout.split("\n").map((line) => [line.split("=")[0], line.slice(line.indexOf("=") + 1)]));
    const load = values.get("LoadState") ?? "not-found";
    if (load === "not-found") return NO_UNIT;
    const active = values.get("ActiveState");
    return {
      active: active === "active" || active === "reloading",
      enabled: values.get("UnitFileState")?.startsWith("enabled") ?? false,
      failed: active === "failed" || load === "error" || load === "bad-setting",
      exists: true,
    };
  }

  return {
    state: async (unit) => (await read(unit)) ?? NO_UNIT,
    async forgetGone() {
      const ask = (...words: string[]) => run(["systemctl", ...words], { timeoutMs: QUESTION_MS, env: ENV });
      const { stdout } = await ask("show", "--property=Id,LoadState,ActiveState", "--", ...HOST_UNITS);
      const gone = stdout.split("\n\n").flatMap((block) => {
        const isGone = /^LoadState=not-found$/m.test(block) && /^ActiveState=failed$/m.test(block);
        return isGone ? (/^Id=(.+)$/m.exec(block)?.[1] ?? []) : [];
      });
      if (gone.length > 0) await ask("reset-failed", "--", ...gone);
    },
    async set({ unit, enabled, active }, { onLine }) {
      const before = await read(unit);
      if (before === null) throw hostFail("no_systemd", { unit });
      if (!before.exists) throw hostFail("unit_unknown", { unit });
      const systemctl = async (word: string, task: string): Promise<ProgramEnd> => {
        const argv = ["systemctl", "--no-pager", "--no-ask-password", word, "--", unit];
        const end = await run(argv, { timeoutMs: CHANGE_MS, graceMs: GRACE_MS, env: ENV, onLine });
        if (end.code !== 0) throw hostFail("unit_failed", { unit, task, last_lines: lastLines(end) });
        return end;
      };
      if (before.enabled !== enabled) await systemctl(enabled ? "enable" : "disable", enabled ? "enabled" : "disabled");
      const task = active ? "started" : "stopped";
      // One that failed is stopped too: systemd forgets the failure then.
      if (before.failed && !active) await systemctl("reset-failed", task);
      if (before.active !== active) await systemctl(active ? "start" : "stop", task);
      const after = (await read(unit)) ?? NO_UNIT;
      if (after.active !== active)
        throw hostFail("unit_failed", { unit, task, last_lines: `It is ${after.failed ? "failed" : "not"} now.` });
      return after;
    },
  };
}
