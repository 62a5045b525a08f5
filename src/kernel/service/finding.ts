import type { Host } from "./host.ts";
import type { ProgramSpec } from "./program.ts";

/** One thing the doctor looked at. */
export interface Finding {
  id: string;
  title: string;
  status: "ok" | "warn" | "fail";
  /** What was seen. */
  detail: string;
  /** What to do about it, in words or as a command; null when all is well. */
  fix: string | null;
}

/** Short forms, so that a check reads as what it says. */
export const ok = (id: string, title: string, detail: string): Finding => ({
  id,
  title,
  status: "ok",
  detail,
  fix: null,
});
export const warn = (id: string, title: string, detail: string, fix: string): Finding => ({
  id,
  title,
  status: "warn",
  detail,
  fix,
});
export const bad = (id: string, title: string, detail: string, fix: string): Finding => ({
  id,
  title,
  status: "fail",
  detail,
  fix,
});

/** What every check gets. */
export interface Patient {
  host: Host;
  spec: ProgramSpec;
  /** Environment of the installed service, or of this process in a checkout. */
  env: Record<string, string>;
  isInstalled: boolean;
  dataDir: string;
  /** True when somebody said which folder that is. */
  isNamed: boolean;
}
