import { resolve } from "node:path";
import { type Command, EXIT } from "./cli.ts";
import { COMMON_CHECKS } from "./doctor-checks.ts";
import { installedEnv } from "./env-file.ts";
import { bad, type Finding } from "./finding.ts";
import type { Host } from "./host.ts";
import type { ProgramSpec } from "./program.ts";

const MARK = { ok: "  ok  ", warn: " warn ", fail: " FAIL " };

/** Runs every check; one that throws becomes a finding itself, so that a broken host is still described. */
export async function examine(host: Host, spec: ProgramSpec, env: Record<string, string>): Promise<Finding[]> {
  const installed = installedEnv(host, spec);
  const effective = installed ? { ...installed, ...env } : env;
  const dataDir = resolve(effective[spec.env.data] ?? "./.data");
  const patient = {
    host,
    spec,
    env: effective,
    isInstalled: installed !== null,
    dataDir,
    isNamed: env[spec.env.data] !== undefined,
  };
  const checks = [
    ...COMMON_CHECKS.map((check) => () => check(patient)),
    ...spec.checks.map((check) => () => check(host, effective)),
  ];
  const findings: Finding[] = [];
  for (const check of checks) {
    try {
      const found = await check();
      if (found) findings.push(found);
    } catch (error) {
      const said = error instanceof Error ? error.message : String(error);
      findings.push(bad("check", "A check could not be made", said, "Run the doctor as root."));
    }
  }
  return findings;
}

/** `doctor`: exit code 0 when nothing fails, 4 otherwise. */
export function doctorCommand(host: Host, spec: ProgramSpec, env: () => Record<string, string>): Command {
  return {
    name: "doctor",
    summary: "Check this host and say how to fix what is wrong",
    options: {
      data: { type: "string", value: "DIR", doc: "Data folder to look at instead of the installed one" },
      json: { type: "boolean", doc: "Print the findings as JSON" },
    },
    async run(options, print) {
      const data = options.text("data");
      const findings = await examine(host, spec, data === undefined ? env() : { ...env(), [spec.env.data]: data });
      const isHealthy = findings.every(({ status }) => status !== "fail");
      if (options.flag("json")) print(JSON.stringify({ healthy: isHealthy, version: spec.version, findings }, null, 2));
      else for (const line of findings.flatMap(describeFinding)) print(line);
      return isHealthy ? EXIT.ok : EXIT.unhealthy;
    },
  };
}

function describeFinding({ status, title, detail, fix }: Finding): string[] {
  const line = `[${MARK[status]}] ${title}: ${detail}`;
  return fix === null ? [line] : [line, `         fix: ${fix}`];
}
