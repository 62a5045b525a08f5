import { spendValues } from "./budget.ts";
import type {
  DependencySpec,
  DeviceSpec,
  HealthcheckSpec,
  HostEntry,
  LimitSpec,
  LoggingSpec,
  NetworkAttachment,
  RestartSpec,
  UlimitSpec,
} from "./model.ts";
import { parseEnv } from "./parse-env.ts";
import { parseRawEnv } from "./parse-raw-env.ts";
import { pathFrom } from "./paths.ts";
import {
  addProblems,
  type Field,
  lookupOf,
  type Reading,
  readBoolean,
  readBytes,
  readDurationMs,
  readInteger,
  readList,
  readMap,
  readNumber,
  readText,
  readTextMap,
  readTexts,
  report,
  reportUnsupported,
  spend,
} from "./reading.ts";
import { splitShellWords } from "./shell-words.ts";

type Writable<Spec> = { -readonly [Key in keyof Spec]: Spec[Key] };
type ExecCheck = Extract<HealthcheckSpec, { kind: "exec" }>;

/** argv of `command:` or `entrypoint:`; a text is split as a shell would, without running one. */
export function readArgv(reading: Reading, field: Field): string[] | null {
  if (field.node.kind === "null") return null;
  if (field.node.kind === "list") return readTexts(reading, field);
  const text = readText(reading, field);
  const words = text === null ? [] : splitShellWords(text);
  if (words === null) report(reading, field, "a quote stays open", "Close it, or write the command as a list");
  return words;
}

/** Dependencies of `depends_on:`, as a list of names or with conditions. */
export function readDependsOn(reading: Reading, field: Field): DependencySpec[] {
  if (field.node.kind === "list") {
    return readTexts(reading, field).map((service) => ({ service, condition: "service_started", isRequired: true }));
  }
  return [...readMap(reading, field)].map(([service, entry]): DependencySpec => {
    let condition: DependencySpec["condition"] = "service_started";
    let isRequired = true;
    for (const [name, option] of readMap(reading, entry)) {
      if (name === "condition") condition = readCondition(reading, option);
      else if (name === "required") isRequired = readBoolean(reading, option);
      else reportUnsupported(reading, option, undefined);
    }
    return { service, condition, isRequired };
  });
}

function readCondition(reading: Reading, field: Field): DependencySpec["condition"] {
  const text = readText(reading, field);
  if (text === "service_healthy" || text === "service_completed_successfully") return text;
  if (text !== null && text !== "service_started") {
    report(
      reading,
      field,
      `${text} is not a condition`,
      "Use service_started, service_healthy or service_completed_successfully",
    );
  }
  return "service_started";
}

/** The check of `healthcheck:`. */
export function readHealthcheck(reading: Reading, field: Field): HealthcheckSpec {
  let isDisabled = false;
  const check: Writable<ExecCheck> = {
    kind: "exec",
    test: [],
    intervalMs: null,
    timeoutMs: null,
    retries: null,
    startPeriodMs: null,
    startIntervalMs: null,
  };
  for (const [name, option] of readMap(reading, field)) {
    if (name === "test") check.test = readTest(reading, option);
    else if (name === "interval") check.intervalMs = readDurationMs(reading, option);
    else if (name === "timeout") check.timeoutMs = readDurationMs(reading, option);
    else if (name === "start_period") check.startPeriodMs = readDurationMs(reading, option);
    else if (name === "start_interval") check.startIntervalMs = readDurationMs(reading, option);
    else if (name === "retries") check.retries = readInteger(reading, option, 1);
    else if (name === "disable") isDisabled = readBoolean(reading, option);
    else reportUnsupported(reading, option, undefined);
  }
  return isDisabled || check.test[0] === "NONE" ? { kind: "none" } : check;
}

function readTest(reading: Reading, field: Field): string[] {
  const words = readTexts(reading, field);
  if (field.node.kind === "scalar") return words.length === 0 ? [] : ["CMD-SHELL", ...words];
  const isComplete = words[0] === "NONE" || (words.length > 1 && (words[0] === "CMD" || words[0] === "CMD-SHELL"));
  if (!isComplete)
    report(reading, field, "the list does not say how to run the test", "Begin it with CMD or CMD-SHELL");
  return words;
}

/** The policy of `restart:`. */
export function readRestart(reading: Reading, field: Field): RestartSpec {
  const text = (readText(reading, field) ?? "no").replace(/^false$/, "no");
  const [policy, retries] = text.split(":");
  const isCounted = retries === undefined || (policy === "on-failure" && /^\d{1,9}$/.test(retries));
  if (policy === "on-failure" && isCounted) return { policy, maxRetries: Number(retries ?? 0) };
  const isPlain = policy === "no" || policy === "always" || policy === "unless-stopped";
  if (isPlain && isCounted) return { policy, maxRetries: 0 };
  report(reading, field, `${text} is not a restart policy`, 'Use "no", always, on-failure or unless-stopped');
  return { policy: "no", maxRetries: 0 };
}

/** Networks of a service, as a list of names or with aliases. */
export function readAttachments(reading: Reading, field: Field): NetworkAttachment[] {
  if (field.node.kind === "list") return readTexts(reading, field).map((network) => ({ network, aliases: [] }));
  return [...readMap(reading, field)].map(([network, entry]) => {
    let aliases: string[] = [];
    for (const [name, option] of readMap(reading, entry)) {
      if (name === "aliases") aliases = readTexts(reading, option);
      else reportUnsupported(reading, option, "Remove it; addresses are given by Docker");
    }
    return { network, aliases };
  });
}

/** Limits of `ulimits:`: one number, or soft and hard. */
export function readUlimits(reading: Reading, field: Field): Record<string, UlimitSpec> {
  const result = new Map<string, UlimitSpec>();
  for (const [name, entry] of readMap(reading, field)) {
    if (entry.node.kind !== "map") {
      const both = readInteger(reading, entry, -1);
      if (both !== null) result.set(name, { soft: both, hard: both });
      continue;
    }
    const parts = readMap(reading, entry);
    const soft = parts.get("soft");
    const hard = parts.get("hard");
    if (soft === undefined || hard === undefined) {
      report(reading, entry, "a limit needs soft and hard", "Write both, or one number for both");
      continue;
    }
    result.set(name, { soft: readInteger(reading, soft, -1) ?? 0, hard: readInteger(reading, hard, -1) ?? 0 });
  }
  return Object.fromEntries(result);
}

/** Devices such as `/dev/dri` or `/dev/ttyUSB0:/dev/zigbee:rw`. */
export function readDevices(reading: Reading, field: Field): DeviceSpec[] {
  return readList(reading, field).flatMap((item): DeviceSpec[] => {
    const text = readText(reading, item);
    if (text === null) return [];
    const [source = "", target = source, permissions = "rwm"] = text.split(":");
    if (source.startsWith("/dev/") && target.startsWith("/") && /^[rwm]+$/.test(permissions)) {
      return [{ source, target, permissions }];
    }
    report(reading, item, `${text} is not a device`, "Write it like /dev/dri or /dev/ttyUSB0:/dev/ttyUSB0");
    return [];
  });
}

/** Entries of `extra_hosts:`: `name:address`, `name=address` or a map. */
export function readExtraHosts(reading: Reading, field: Field): HostEntry[] {
  if (field.node.kind !== "list") {
    return Object.entries(readTextMap(reading, field)).map(([host, address]) => ({ host, address }));
  }
  return readTexts(reading, field).flatMap((text): HostEntry[] => {
    const match = /^([^=:]+)[=:](.+)$/.exec(text);
    const [host, address] = [match?.[1], match?.[2]];
    if (host !== undefined && address !== undefined) return [{ host, address }];
    report(reading, field, `${text} is not a host entry`, "Write it like name:192.0.2.1");
    return [];
  });
}

/** Limits of `deploy.resources.limits`. */
export function readDeployLimits(reading: Reading, field: Field): LimitSpec {
  const limits: Writable<LimitSpec> = { memoryBytes: null, cpus: null, pids: null };
  for (const [name, resources] of readMap(reading, field)) {
    if (name !== "resources") {
      reportUnsupported(reading, resources, "Only deploy.resources.limits has a meaning on one server; remove it");
      continue;
    }
    for (const [kind, entry] of readMap(reading, resources)) {
      if (kind !== "limits") {
        reportUnsupported(reading, entry, "Only limits are kept; remove it");
        continue;
      }
      for (const [key, option] of readMap(reading, entry)) {
        if (key === "memory") limits.memoryBytes = readBytes(reading, option);
        else if (key === "cpus") limits.cpus = readNumber(reading, option, 0);
        else if (key === "pids") limits.pids = readInteger(reading, option, 1);
        else reportUnsupported(reading, option, undefined);
      }
    }
  }
  return limits;
}

/** Kinds of logs that can be read again, and none at all. */
const LOG_DRIVERS: readonly string[] = ["json-file", "local", "journald", "none"];

/** Where `logging:` puts what a container writes. */
export function readLogging(reading: Reading, field: Field): LoggingSpec {
  const logging: Writable<LoggingSpec> = { driver: "json-file", options: {} };
  for (const [name, option] of readMap(reading, field)) {
    if (name === "driver") logging.driver = readText(reading, option) ?? "json-file";
    else if (name === "options") logging.options = readTextMap(reading, option);
    else reportUnsupported(reading, option, undefined);
    if (name === "driver" && !LOG_DRIVERS.includes(logging.driver)) {
      const next = `Use ${LOG_DRIVERS.join(", ")}; the logs page can forward what a container writes`;
      report(reading, option, `${logging.driver} keeps no log that can be read here`, next);
    }
  }
  return logging;
}

/** The variables of the files that `env_file:` names, later ones over earlier ones. */
export function readEnvFiles(reading: Reading, field: Field): Record<string, string> {
  const items = field.node.kind === "list" ? readList(reading, field) : [field];
  const variables = new Map<string, string>();
  for (const item of items) {
    const options = item.node.kind === "map" ? readMap(reading, item) : new Map([["path", item]]);
    const required = options.get("required");
    const mustExist = required === undefined || readBoolean(reading, required);
    const isRaw = readFormat(reading, options.get("format"));
    for (const [name, option] of options)
      if (!["path", "required", "format"].includes(name)) reportUnsupported(reading, option, undefined);
    const path = options.get("path");
    if (path === undefined) report(reading, item, "it names no file", "Write path: with one");
    else for (const [name, value] of readEnvFile(reading, path, { mustExist, isRaw })) variables.set(name, value);
  }
  return Object.fromEntries(variables);
}

/** True where `format:` says that a file is taken as it is written; without it, it is read as `.env` is. */
function readFormat(reading: Reading, field: Field | undefined): boolean {
  const format = field === undefined ? null : readText(reading, field);
  if (field === undefined || format === null || format === "raw") return format === "raw";
  report(reading, field, `${format} is not a format`, "Write raw, or remove the line to have it read as .env is");
  return false;
}

function readEnvFile(
  reading: Reading,
  field: Field,
  { mustExist, isRaw }: { mustExist: boolean; isRaw: boolean },
): [string, string][] {
  const written = readText(reading, field);
  if (written === null) return [];
  const path = pathFrom(field.node.from?.folder ?? "", written)?.slice(2);
  if (path === ".env" && !isRaw) {
    spendValues(reading, field, reading.envFile.variables);
    return Object.entries(reading.envFile.variables);
  }
  const text = path === ".env" ? reading.envFile.text : reading.texts.get(path ?? "");
  if (path !== undefined && text !== undefined) {
    spend(reading, field, text.length);
    const parse = isRaw ? parseRawEnv : parseEnv;
    const { variables, problems } = parse(text, path, lookupOf(reading, field));
    const known = new Set(reading.problems.map((each) => `${each.file} ${each.line} ${each.message}`));
    // Several services may name it: one fault is told once.
    addProblems(
      reading,
      problems.filter((each) => !known.has(`${each.file} ${each.line} ${each.message}`)),
    );
    spendValues(reading, field, variables);
    return Object.entries(variables);
  }
  if (mustExist) {
    const next = "Add it to the files of the project, or write required: false";
    report(reading, field, `${written} is not among the files of this project`, next);
  }
  return [];
}
