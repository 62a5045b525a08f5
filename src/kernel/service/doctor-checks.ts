import { checkDatabases, checkDataFolder } from "./doctor-data.ts";
import { checkHardware } from "./doctor-hardware.ts";
import { listenOf, localUrl } from "./env-file.ts";
import { bad, type Finding, ok, type Patient, warn } from "./finding.ts";
import { layoutOf, onDemandLayoutOf } from "./program.ts";
import { RELEASE_ENV } from "./release-base.ts";
import { hasSystemd, isUnitEnabled, unitState } from "./systemd.ts";
import { readJournal, readOutcome } from "./upgrade-journal.ts";
import { answers } from "./upgrade-watch.ts";

type Check = (patient: Patient) => Promise<Finding | null>;

const systemd: Check = async ({ host }) =>
  hasSystemd(host)
    ? ok("systemd", "systemd", "runs")
    : warn(
        "systemd",
        "systemd",
        "does not run here",
        "Keep the program running by other means, or use a host with systemd.",
      );

const service: Check = async ({ host, spec, isInstalled }) => {
  const { serviceUnit } = layoutOf(spec);
  if (!isInstalled) return warn("service", "Service", "is not installed", `Run as root: ${spec.name} install`);
  const state = await unitState(host, serviceUnit);
  const logs = `Look at: journalctl -u ${spec.name} -n 50`;
  if (state.active !== "active")
    return bad(
      "service",
      "Service",
      `is ${state.active} (${state.result})`,
      `${logs}; then: systemctl start ${spec.name}`,
    );
  if (state.restarts > 0) return warn("service", "Service", `runs, after ${state.restarts} restarts by itself`, logs);
  return ok("service", "Service", "runs");
};

const enabled: Check = async ({ host, spec, isInstalled }) => {
  if (!isInstalled) return null;
  const { serviceUnit } = layoutOf(spec);
  if (isUnitEnabled(host, serviceUnit)) return ok("enabled", "Start at boot", "is on");
  return bad("enabled", "Start at boot", "is off", `systemctl enable ${spec.name}`);
};

const answering: Check = async ({ host, spec, env, isInstalled }) => {
  const listen = listenOf(spec, env);
  const url = localUrl(listen);
  if (await answers(host, spec, url, null)) return ok("answers", "Dashboard", `answers at ${url}`);
  const isFree = host.isPortFree(listen.host, listen.port);
  if (isFree && !isInstalled) return null;
  if (isFree)
    return bad("answers", "Dashboard", `nothing listens on port ${listen.port}`, `systemctl restart ${spec.name}`);
  const { config } = layoutOf(spec);
  const fix = `Find it with: ss -ltnp 'sport = :${listen.port}'; or set another ${spec.env.listen}${isInstalled ? ` in ${config} and restart` : ""}`;
  return bad("answers", "Dashboard", `another program holds port ${listen.port}`, fix);
};

const clock: Check = async ({ host }) => {
  const { code, stdout } = await host.run(["timedatectl", "show", "--property=NTPSynchronized", "--value"], 10_000);
  if (code !== 0)
    return warn("clock", "Clock", "cannot tell whether it is synchronised", "Install systemd-timesyncd or chrony.");
  if (stdout.trim() === "yes") return ok("clock", "Clock", "is synchronised");
  return warn("clock", "Clock", "is not synchronised", "timedatectl set-ntp true (needs systemd-timesyncd or chrony)");
};

const upgrade: Check = async ({ host, spec }) => {
  const layout = layoutOf(spec);
  const logs = `journalctl -u ${layout.upgradeUnit}`;
  if (readJournal(host, layout)) return warn("upgrade", "Upgrade", "one is under way", `Wait, or look at: ${logs}`);
  if (host.stat(layout.hold))
    return bad(
      "upgrade",
      "Upgrade",
      "the service is held without an upgrade",
      `rm ${layout.hold}; systemctl start ${spec.name}`,
    );
  const last = readOutcome(host, layout);
  if (!last || last.result === "upgraded")
    return ok("upgrade", "Upgrade", last ? `the last one, to ${last.to}, went well` : "there was none yet");
  const fate = last.result === "refused" ? "was refused" : "was not kept";
  return warn("upgrade", "Upgrade", `${last.to} ${fate}: ${last.reason}`, `Look at: ${logs}`);
};

/** Whether what the service asks for is taken. */
const requests: Check = async ({ host, spec, env, isInstalled }) => {
  if (!isInstalled || spec.units.watch === null) return null;
  const { watchUnit, unitDir } = layoutOf(spec);
  const title = "Updates from the panel";
  if (host.stat(`${unitDir}/${watchUnit}`) === null)
    return warn(
      "requests",
      title,
      `cannot be carried out: ${watchUnit} is missing`,
      `Run as root: ${spec.name} install`,
    );
  const { active } = await unitState(host, watchUnit);
  if (active !== "active")
    return warn("requests", title, `cannot be carried out: ${watchUnit} is ${active}`, `systemctl start ${watchUnit}`);
  const base = env[RELEASE_ENV.base] ?? "";
  return ok("requests", title, base === "" ? `are off: ${RELEASE_ENV.base} is not set` : `come from ${base}`);
};

/** Whether the role that a socket starts can be reached. */
const onDemand: Check = async ({ host, spec, isInstalled }) => {
  const role = onDemandLayoutOf(spec);
  if (!isInstalled || role === null) return null;
  const { socketUnit } = role;
  const title = "Role on demand";
  if (host.stat(`${layoutOf(spec).unitDir}/${socketUnit}`) === null)
    return warn("role", title, `cannot be asked: ${socketUnit} is missing`, `Run as root: ${spec.name} install`);
  const { active } = await unitState(host, socketUnit);
  if (active !== "active")
    return warn("role", title, `cannot be asked: ${socketUnit} is ${active}`, `systemctl restart ${socketUnit}`);
  return ok("role", title, `${socketUnit} waits for questions`);
};

/** Asked about every program, in the order in which they are shown. */
export const COMMON_CHECKS: readonly Check[] = [
  systemd,
  service,
  enabled,
  answering,
  upgrade,
  requests,
  onDemand,
  checkDataFolder,
  checkDatabases,
  ...checkHardware,
  clock,
];
