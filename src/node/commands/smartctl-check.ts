import { type Finding, ok, warn } from "../../kernel/service/finding.ts";
import type { Host } from "../../kernel/service/host.ts";

/** From here on smartctl can tell a disk that sleeps from one that does not say. */
const BEST = [7, 3];
const OLDEST = [7, 0];

function isOlder([major = 0, minor = 0]: number[], [thanMajor = 0, thanMinor = 0]: number[]): boolean {
  return major < thanMajor || (major === thanMajor && minor < thanMinor);
}

/** Doctor's look at smartctl, without which the health of disks stays unknown. */
export async function checkSmartctl(host: Host, env: Record<string, string>): Promise<Finding> {
  const program = env["ORRERY_SMARTCTL"] ?? "smartctl";
  const title = "Disk health";
  const { code, stdout } = await host.run([program, "--version"], 5000);
  const version = /^smartctl (\d+)\.(\d+)/m.exec(stdout)?.slice(1).map(Number);
  if (code === 127 || version === undefined)
    return warn("smartctl", title, "smartctl is not installed", "apt-get install smartmontools");
  const said = `smartctl ${version.join(".")}`;
  if (isOlder(version, OLDEST))
    return warn("smartctl", title, `${said} cannot be understood`, "Update smartmontools to 7.3 or newer.");
  if (isOlder(version, BEST))
    return warn(
      "smartctl",
      title,
      `${said} may wake sleeping disks behind USB`,
      "Update smartmontools to 7.3 or newer.",
    );
  return ok("smartctl", title, `${said} reads it`);
}
