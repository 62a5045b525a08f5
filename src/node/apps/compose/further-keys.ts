import {
  type Field,
  type Reading,
  readBoolean,
  readBytes,
  readInteger,
  readText,
  readTextMap,
  readTexts,
  report,
} from "./reading.ts";

/** A value of a key that goes to Docker as it is. */
export type FurtherValue = string | number | boolean | readonly string[] | Readonly<Record<string, string>>;

interface FurtherKey {
  /** Which part of Docker's request has it. */
  readonly place: "container" | "host";
  /** Docker's name of it. */
  readonly field: string;
  /** What Docker has where nobody said anything; `null` where it chooses for itself. */
  readonly otherwise: FurtherValue | null;
  read(reading: Reading, field: Field): FurtherValue | null;
}

const integer = (minimum: number) => (reading: Reading, field: Field) => readInteger(reading, field, minimum);
const word = (known: readonly string[]) => (reading: Reading, field: Field) => {
  const text = readText(reading, field);
  if (text === null || known.includes(text)) return text;
  report(reading, field, `${text} is not supported here`, `Use ${known.join(" or ")}, or remove it`);
  return null;
};
/** Memory with swap, where -1 is all that there is. */
const swap = (reading: Reading, field: Field) => (readText(reading, field) === "-1" ? -1 : readBytes(reading, field));

/** Runtimes hand these on to the server: what systemd does when the container ends, and which of its units are stopped for it. */
const ORDER = /^(org\.systemd\.property|run\.oci)\./;

function readAnnotations(reading: Reading, field: Field): Record<string, string> {
  const annotations = readTextMap(reading, field);
  const order = Object.keys(annotations).find((name) => ORDER.test(name));
  if (order !== undefined)
    report(reading, field, `the annotation ${order} is an order to this server's own programs`, "Remove it");
  return annotations;
}

const host = { place: "host" } as const;
const container = { place: "container" } as const;

/** Keys of a service in users' files that are one value of Docker's request, and of which we need to know nothing else. */
export const FURTHER_KEYS: Readonly<Record<string, FurtherKey>> = {
  stdin_open: { ...container, field: "OpenStdin", otherwise: false, read: readBoolean },
  domainname: { ...container, field: "Domainname", otherwise: "", read: readText },
  mem_reservation: { ...host, field: "MemoryReservation", otherwise: 0, read: readBytes },
  memswap_limit: { ...host, field: "MemorySwap", otherwise: null, read: swap },
  mem_swappiness: { ...host, field: "MemorySwappiness", otherwise: -1, read: integer(0) },
  cpu_shares: { ...host, field: "CpuShares", otherwise: 0, read: integer(0) },
  cpu_quota: { ...host, field: "CpuQuota", otherwise: 0, read: integer(-1) },
  cpu_period: { ...host, field: "CpuPeriod", otherwise: 0, read: integer(0) },
  cpuset: { ...host, field: "CpusetCpus", otherwise: "", read: readText },
  oom_score_adj: { ...host, field: "OomScoreAdj", otherwise: 0, read: integer(-1000) },
  oom_kill_disable: { ...host, field: "OomKillDisable", otherwise: false, read: readBoolean },
  ipc: { ...host, field: "IpcMode", otherwise: null, read: word(["host", "none", "private", "shareable"]) },
  uts: { ...host, field: "UTSMode", otherwise: "", read: word(["host"]) },
  userns_mode: { ...host, field: "UsernsMode", otherwise: "", read: word(["host"]) },
  runtime: { ...host, field: "Runtime", otherwise: null, read: readText },
  device_cgroup_rules: { ...host, field: "DeviceCgroupRules", otherwise: [], read: readTexts },
  annotations: { ...host, field: "Annotations", otherwise: {}, read: readAnnotations },
};
