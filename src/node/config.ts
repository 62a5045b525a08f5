import { addresses, type Config, type ConfigTable, flag, hostPort, list, oneOf, text } from "../kernel/config.ts";
import { parseCidr } from "../kernel/outgoing/index.ts";
import { parseReleaseBase, RELEASE_ENV } from "../kernel/service/release-base.ts";
import { isRecord, parseJson } from "../lib/json.ts";
import { NODE_PLANS } from "../shared/plans/index.ts";

function positive(value: string): number {
  const number = Number(value);
  if (!Number.isFinite(number) || number <= 0) throw new Error("must be a number above 0");
  return number;
}

/** Ranges of addresses, kept as text. */
function ranges(value: string): string[] {
  const given = list(value);
  for (const range of given) parseCidr(range);
  return given;
}

/** Where S3 clients are answered; without a port the usual one. */
function s3Listen(value: string): { host: string; port: number | null } {
  return value.includes(":") ? hostPort(value) : { host: text(value), port: null };
}

/** Programs by the name under which the panel may ask for them. */
function programs(value: string): Readonly<Record<string, readonly string[]>> {
  const given = parseJson(value);
  if (!isRecord(given)) throw new Error('must be JSON like {"uptime":["uptime"]}');
  const isArgv = (argv: unknown): argv is string[] =>
    Array.isArray(argv) && argv.length > 0 && argv.every((word) => typeof word === "string" && word !== "");
  const entries = Object.entries(given).map(([name, argv]): [string, string[]] => {
    if (!isArgv(argv)) throw new Error(`${name} must be a list of words, the program first`);
    return [name, argv];
  });
  return Object.fromEntries(entries);
}

/** Everything that can be set from outside. */
export const nodeConfigTable = {
  data_dir: { env: "ORRERY_DATA", default: "./.data", parse: text, doc: "Folder for databases, keys and app data" },
  listen: {
    env: "ORRERY_LISTEN",
    default: { host: "127.0.0.1", port: 8420 },
    parse: hostPort,
    doc: "Address and port of the dashboard and API; port 0 takes a free one",
  },
  s3_listen: {
    env: "ORRERY_S3_LISTEN",
    default: s3Listen("127.0.0.1"),
    parse: s3Listen,
    doc: "Address and port of the object store, 8430 where none is said; only open while it has a key or a public bucket",
  },
  minio_data: {
    env: "ORRERY_MINIO_DATA",
    default: "",
    parse: text,
    doc: "Folder with the data of a MinIO whose objects are brought over; minio/data in the data folder where none is said",
  },
  minio_env: {
    env: "ORRERY_MINIO_ENV",
    default: "",
    parse: text,
    doc: "File with the environment of that MinIO, such as /etc/default/minio; minio/minio.env in the data folder where none is said",
  },
  minio_binary: {
    env: "ORRERY_MINIO_BINARY",
    default: "",
    parse: text,
    doc: "The program of that MinIO, started where it does not run already; minio/minio in the data folder where none is said",
  },
  log_level: {
    env: "ORRERY_LOG_LEVEL",
    default: "info",
    parse: oneOf("debug", "info", "warn", "error"),
    doc: "Least important log lines that are written",
  },
  docker_socket: {
    env: "ORRERY_DOCKER_SOCKET",
    default: "/var/run/docker.sock",
    parse: text,
    doc: "Unix socket of the Docker Engine",
  },
  host_root: {
    env: "ORRERY_HOST_ROOT",
    default: "/",
    parse: text,
    doc: "Where the host's /proc, /sys and /etc are seen; another folder when the node runs in a container",
  },
  host_socket: {
    env: "ORRERY_HOST_SOCKET",
    default: "",
    parse: text,
    doc: "Unix socket of the host role, which installs packages and switches units; without one the node does it itself",
  },
  plan: {
    env: "ORRERY_PLAN",
    default: "community",
    parse: oneOf(...NODE_PLANS),
    doc: "Plan of a node that belongs to no panel: community, pro, business or enterprise",
  },
  smartctl: {
    env: "ORRERY_SMARTCTL",
    default: "smartctl",
    parse: text,
    doc: "Program that reads the health of disks, from smartmontools",
  },
  insights_alerts: {
    env: "SERVICE_INSIGHTS_ALERTS",
    default: false,
    parse: flag,
    doc: "Whether predictions of high risk are told as alerts: true or false",
  },
  templates_dir: {
    env: "ORRERY_TEMPLATES_DIR",
    default: "",
    parse: text,
    doc: "Folder with templates of your own, read besides the built-in catalogue",
  },
  trusted_proxies: {
    env: "ORRERY_TRUSTED_PROXIES",
    default: [],
    parse: addresses,
    doc: "Addresses and networks of reverse proxies whose X-Forwarded-* headers are believed",
  },
  allowed_origins: {
    env: "ORRERY_ALLOWED_ORIGINS",
    default: [],
    parse: list,
    doc: "Other web origins that may call the API with credentials",
  },
  webauthn_rp_id: {
    env: "SERVICE_WEBAUTHN_RP_ID",
    default: "",
    parse: text,
    doc: "Domain that passkeys are made for, unless the setting auth.webauthn_rp_id names one",
  },
  anonymous_rate: {
    env: "ORRERY_ANONYMOUS_RATE",
    default: 20,
    parse: positive,
    doc: "Requests a second that one address may make without signing in",
  },
  session_rate: {
    env: "ORRERY_SESSION_RATE",
    default: 100,
    parse: positive,
    doc: "Requests a second that one session may make",
  },
  panel_commands: {
    env: "ORRERY_PANEL_COMMANDS",
    default: {},
    parse: programs,
    doc: 'Programs that the panel may run here, as JSON by name: {"disk space":["df","-h"]}; none unless set',
  },
  release_base: {
    env: RELEASE_ENV.base,
    default: "",
    parse: parseReleaseBase,
    doc: "Place of releases, with one folder for each version: where updates that the panel asks for come from",
  },
  release_allow_cidrs: {
    env: RELEASE_ENV.allowed,
    default: [],
    parse: ranges,
    doc: "Ranges off the public internet that releases may be fetched from, also over http",
  },
  webhook_allow_cidrs: {
    env: "SERVICE_WEBHOOK_ALLOW_CIDRS",
    default: [],
    parse: ranges,
    doc: "Ranges off the public internet that webhooks and alert channels may reach, such as 192.168.1.0/24",
  },
} satisfies ConfigTable;

export type NodeConfig = Config<typeof nodeConfigTable>;
