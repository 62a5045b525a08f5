import { isIP } from "node:net";
import { hours } from "../../../lib/duration.ts";
import { FURTHER_KEYS } from "./further-keys.ts";
import { type GivenKind, readGivenFiles } from "./given-files.ts";
import type { LimitSpec, ServiceSpec } from "./model.ts";
import { readMounts, readTmpfs } from "./mounts.ts";
import { readExpose, readPorts } from "./ports.ts";
import {
  type Field,
  type Reading,
  readBoolean,
  readBytes,
  readDurationMs,
  readInteger,
  readLabels,
  readMap,
  readNumber,
  readText,
  readTextMap,
  readTexts,
  report,
  reportUnsupported,
} from "./reading.ts";
import {
  readArgv,
  readAttachments,
  readDependsOn,
  readDeployLimits,
  readDevices,
  readEnvFiles,
  readExtraHosts,
  readHealthcheck,
  readLogging,
  readRestart,
  readUlimits,
} from "./service-parts.ts";

type Draft = { -readonly [Key in keyof ServiceSpec]: ServiceSpec[Key] };
type KeyReader = (draft: Draft, reading: Reading, field: Field) => void;

/** Every key of a service that we understand; anything else is refused by name. */
const KEYS: Readonly<Record<string, KeyReader>> = {
  image: (draft, reading, field) => {
    draft.image = readText(reading, field) ?? "";
  },
  command: (draft, reading, field) => {
    draft.command = readArgv(reading, field);
  },
  entrypoint: (draft, reading, field) => {
    draft.entrypoint = readArgv(reading, field);
  },
  environment: (draft, reading, field) => {
    draft.environment = readTextMap(reading, field);
  },
  volumes: (draft, reading, field) => {
    draft.mounts = [...draft.mounts, ...readMounts(reading, field)];
  },
  tmpfs: (draft, reading, field) => {
    draft.mounts = [...draft.mounts, ...readTmpfs(reading, field)];
  },
  depends_on: (draft, reading, field) => {
    draft.dependsOn = readDependsOn(reading, field);
  },
  healthcheck: (draft, reading, field) => {
    draft.healthcheck = readHealthcheck(reading, field);
  },
  restart: (draft, reading, field) => {
    draft.restart = readRestart(reading, field);
  },
  networks: (draft, reading, field) => {
    draft.networks = readAttachments(reading, field);
  },
  user: (draft, reading, field) => {
    draft.user = readText(reading, field);
  },
  working_dir: (draft, reading, field) => {
    draft.workingDir = readText(reading, field);
  },
  expose: (draft, reading, field) => {
    draft.expose = readExpose(reading, field);
  },
  ports: (draft, reading, field) => {
    draft.ports = readPorts(reading, field);
  },
  cap_add: (draft, reading, field) => {
    draft.capAdd = readTexts(reading, field).map(capabilityName);
  },
  cap_drop: (draft, reading, field) => {
    draft.capDrop = readTexts(reading, field).map(capabilityName);
  },
  security_opt: (draft, reading, field) => {
    draft.securityOpt = readTexts(reading, field);
  },
  read_only: (draft, reading, field) => {
    draft.readOnly = readBoolean(reading, field);
  },
  shm_size: (draft, reading, field) => {
    draft.shmSizeBytes = readBytes(reading, field);
  },
  ulimits: (draft, reading, field) => {
    draft.ulimits = readUlimits(reading, field);
  },
  sysctls: (draft, reading, field) => {
    draft.sysctls = readTextMap(reading, field);
  },
  network_mode: (draft, reading, field) => {
    const mode = readText(reading, field);
    // A template has no use for a service that nobody reaches.
    const isNone = mode === "none" && reading.dialect === "project";
    if (mode === "host" || isNone) draft.networkMode = mode;
    else if (mode !== null) report(reading, field, `${mode} is not supported here`, "Use host or none, or networks:");
  },
  devices: (draft, reading, field) => {
    draft.devices = readDevices(reading, field);
  },
  labels: (draft, reading, field) => {
    draft.labels = readLabels(reading, field);
  },
  init: (draft, reading, field) => {
    draft.init = readBoolean(reading, field);
  },
  stop_grace_period: (draft, reading, field) => {
    draft.stopGraceMs = readDurationMs(reading, field);
    const words = "this is longer than an hour, in which nothing else could be done with it";
    if ((draft.stopGraceMs ?? 0) > hours(1)) report(reading, field, words, "Write at most 1h");
  },
  stop_signal: (draft, reading, field) => {
    draft.stopSignal = readText(reading, field);
  },
  tty: (draft, reading, field) => {
    draft.tty = readBoolean(reading, field);
  },
  hostname: (draft, reading, field) => {
    draft.hostname = readText(reading, field);
  },
  extra_hosts: (draft, reading, field) => {
    draft.extraHosts = readExtraHosts(reading, field);
  },
  group_add: (draft, reading, field) => {
    draft.groupAdd = readTexts(reading, field);
  },
  mem_limit: (draft, reading, field) => limit(draft, reading, field, { memoryBytes: readBytes(reading, field) }),
  cpus: (draft, reading, field) => limit(draft, reading, field, { cpus: readNumber(reading, field, 0) }),
  pids_limit: (draft, reading, field) => limit(draft, reading, field, { pids: readInteger(reading, field, 1) }),
  deploy: (draft, reading, field) => limit(draft, reading, field, readDeployLimits(reading, field)),
};

/** What only a user's own file may say. */
const PROJECT_KEYS: Readonly<Record<string, KeyReader>> = {
  container_name: (draft, reading, field) => {
    const name = readText(reading, field);
    if (name !== null && !/^(?!orrery-)[a-zA-Z0-9][a-zA-Z0-9_.-]{0,127}$/.test(name)) {
      report(reading, field, `${name} is not a free container name`, "Use letters and digits; orrery- is for apps");
    }
    draft.containerName = name;
  },
  privileged: (draft, reading, field) => {
    draft.privileged = readBoolean(reading, field);
  },
  pid: (draft, reading, field) => {
    const mode = readText(reading, field);
    if (mode === "host") draft.pidMode = mode;
    else if (mode !== null) report(reading, field, `${mode} is not supported here`, "Use host, or remove it");
  },
  logging: (draft, reading, field) => {
    draft.logging = readLogging(reading, field);
  },
  dns: (draft, reading, field) => {
    draft.dns = { ...draft.dns, servers: readTexts(reading, field) };
    const wrong = draft.dns.servers.find((server) => isIP(server) === 0);
    if (wrong !== undefined) report(reading, field, `${wrong} is no address`, "Write it like 192.0.2.53");
  },
  dns_search: (draft, reading, field) => {
    draft.dns = { ...draft.dns, search: readTexts(reading, field) };
  },
  dns_opt: (draft, reading, field) => {
    draft.dns = { ...draft.dns, options: readTexts(reading, field) };
  },
  configs: (draft, reading, field) => giveFiles(draft, reading, "config", field),
  secrets: (draft, reading, field) => giveFiles(draft, reading, "secret", field),
  profiles: (draft, reading, field) => {
    draft.profiles = readTexts(reading, field);
  },
  env_file: (draft, reading, field) => {
    draft.environment = { ...readEnvFiles(reading, field), ...draft.environment };
  },
  environment: (draft, reading, field) => {
    draft.environment = { ...draft.environment, ...readTextMap(reading, field) };
  },
};

/** What to do instead of the keys that people try most. */
const HINTS: Readonly<Record<string, string>> = {
  build: "Use an image that is already built",
  container_name: "Remove it; containers are named after the app",
  env_file: "Write the values below environment:",
  extends: "Write the service out in full",
  privileged: "Name the devices and capabilities it needs below devices: and cap_add:",
  secrets: "Hand secrets over as variables below environment:",
  configs: "Keep the file in a volume, or set it below environment:",
  links: "Remove it; services reach each other by name",
  profiles: "Keep only the services that should run",
  logging: "Remove it; logs are read from Docker",
};

/** The keys of a service that we understand, for documentation and messages. */
export const SERVICE_KEYS: readonly string[] = Object.keys(KEYS);

/** Reads one service; problems go to the reading. */
export function readService(reading: Reading, name: string, field: Field): ServiceSpec {
  const draft = emptyService(name);
  const parts = readMap(reading, field);
  for (const [key, part] of parts) {
    const reader = findReader(reading, key);
    if (reader !== undefined) reader(draft, reading, part);
    else if (!key.startsWith("x-"))
      reportUnsupported(reading, part, Object.hasOwn(HINTS, key) ? HINTS[key] : undefined);
  }
  // What stands there instead has been told of already.
  const told = ["image", "build", "extends"].map((key) => `${field.key}.${key}`);
  const isTold = reading.problems.some(({ key }) => told.some((each) => `${key}.`.startsWith(`${each}.`)));
  if (draft.image === "" && !isTold) report(reading, field, "no image", "Write which image to run: image: name:tag");
  if (draft.networkMode !== null && draft.networks.length > 0) {
    report(reading, field, "network_mode and networks exclude each other", "Keep one of them");
  }
  checkFiles(reading, draft, parts);
  if (draft.networks.length === 0 && draft.networkMode === null) draft.networks = [{ network: "default", aliases: [] }];
  return draft;
}

function findReader({ dialect }: Reading, key: string): KeyReader | undefined {
  const further = Object.hasOwn(FURTHER_KEYS, key) ? FURTHER_KEYS[key] : undefined;
  if (dialect === "project" && further !== undefined) {
    return (draft, reading, field) => {
      const value = further.read(reading, field);
      if (value !== null) draft.further = { ...draft.further, [key]: value };
    };
  }
  if (dialect === "project" && Object.hasOwn(PROJECT_KEYS, key)) return PROJECT_KEYS[key];
  return Object.hasOwn(KEYS, key) ? KEYS[key] : undefined;
}

function emptyService(name: string): Draft {
  return {
    name,
    image: "",
    command: null,
    entrypoint: null,
    environment: {},
    mounts: [],
    dependsOn: [],
    healthcheck: null,
    restart: { policy: "no", maxRetries: 0 },
    networks: [],
    user: null,
    workingDir: null,
    expose: [],
    ports: [],
    capAdd: [],
    capDrop: [],
    securityOpt: [],
    readOnly: false,
    shmSizeBytes: null,
    ulimits: {},
    sysctls: {},
    devices: [],
    labels: {},
    init: false,
    stopGraceMs: null,
    stopSignal: null,
    tty: false,
    hostname: null,
    extraHosts: [],
    groupAdd: [],
    limits: { memoryBytes: null, cpus: null, pids: null },
    containerName: null,
    privileged: false,
    networkMode: null,
    pidMode: null,
    logging: null,
    dns: { servers: [], search: [], options: [] },
    profiles: [],
    files: [],
    further: {},
  };
}

function giveFiles(draft: Draft, reading: Reading, kind: GivenKind, field: Field): void {
  const { mounts, files } = readGivenFiles(reading, kind, field);
  draft.mounts = [...draft.mounts, ...mounts];
  draft.files = [...draft.files, ...files];
}

/** Docker puts texts into a container before its start, which a container that nobody may write to refuses, and a mount hides. */
function checkFiles(reading: Reading, draft: Draft, parts: ReadonlyMap<string, Field>): void {
  const inMemory = new Set(draft.mounts.flatMap((mount) => (mount.kind === "tmpfs" ? [mount.target] : [])));
  for (const { kind, name, target } of draft.files) {
    const field = parts.get(`${kind}s`);
    if (field === undefined) continue;
    const next = `Give ${name} as a file of the server: file: ./${name}`;
    const isHidden = target.split("/").some((_, depth, parts) => inMemory.has(parts.slice(0, depth + 1).join("/")));
    if (draft.readOnly) report(reading, field, `read_only leaves no place for the text of the ${kind} ${name}`, next);
    else if (isHidden) report(reading, field, `what is in memory at ${target} would hide the ${kind} ${name}`, next);
  }
}

function limit(draft: Draft, reading: Reading, field: Field, part: Partial<LimitSpec>): void {
  const { limits } = draft;
  const isTwice =
    (limits.memoryBytes !== null && part.memoryBytes != null) ||
    (limits.cpus !== null && part.cpus != null) ||
    (limits.pids !== null && part.pids != null);
  if (isTwice) report(reading, field, "this limit is set twice", "Keep it in one place");
  draft.limits = {
    memoryBytes: part.memoryBytes ?? limits.memoryBytes,
    cpus: part.cpus ?? limits.cpus,
    pids: part.pids ?? limits.pids,
  };
}

function capabilityName(text: string): string {
  return text.toUpperCase().replace(/^CAP_/, "");
}
