import { addresses, type Config, type ConfigTable, flag, hostPort, list, oneOf, text } from "../kernel/config.ts";
import { parseCidr } from "../kernel/outgoing/index.ts";
import { parseReleaseBase, RELEASE_ENV } from "../kernel/service/release-base.ts";
import type { MailServer } from "../shared/smtp/index.ts";
import { parseMailServer } from "../shared/smtp/parse-url.ts";
import { PLANS, type Plan } from "./plans.ts";

function positive(value: string): number {
  const number = Number(value);
  if (!Number.isFinite(number) || number <= 0) throw new Error("must be a number above 0");
  return number;
}

function databaseUrl(value: string): string {
  if (!URL.canParse(value) || !/^postgres(ql)?:$/.test(new URL(value).protocol))
    throw new Error("must look like postgres://user:password@host/database");
  return value;
}

function webOrigin(value: string): string {
  if (!URL.canParse(value) || !/^https?:$/.test(new URL(value).protocol))
    throw new Error("must look like https://panel.example.org");
  return new URL(value).origin;
}

function mailAddress(value: string): string {
  if (!/^[^\s@<>]+@[^\s@<>]+$/.test(value)) throw new Error("must look like panel@example.org");
  return value;
}

function ranges(value: string): string[] {
  const given = list(value);
  for (const range of given) parseCidr(range);
  return given;
}

/** Everything that can be set from outside. */
export const panelConfigTable = {
  data_dir: { env: "CP_DATA", default: "./.data/panel", parse: text, doc: "Folder for the database and keys" },
  listen: {
    env: "CP_LISTEN",
    default: { host: "127.0.0.1", port: 8430 },
    parse: hostPort,
    doc: "Address and port of the dashboard and API; port 0 takes a free one",
  },
  public_url: {
    env: "CP_PUBLIC_URL",
    default: "",
    parse: webOrigin,
    doc: "Address of the dashboard as people reach it, for links; without it that of each request",
  },
  agent_listen: {
    env: "CP_AGENT_LISTEN",
    default: null,
    parse: (value: string): { host: string; port: number } | null => hostPort(value),
    doc: "Address and port that nodes talk to; port 0 takes a free one. Without it the address of CP_LISTEN and port 8443",
  },
  agent_names: {
    env: "CP_AGENT_NAMES",
    default: [],
    parse: list,
    doc: "Host names and addresses by which nodes reach that port; the first one is printed in the line that enrols a node",
  },
  enrol_rate: {
    env: "CP_ENROL_RATE",
    default: 20,
    parse: positive,
    doc: "Registrations of nodes a second that one address may try",
  },
  default_plan: {
    env: "CP_DEFAULT_PLAN",
    default: "free",
    parse: oneOf<Plan>(...PLANS),
    doc: "Plan of a new workspace: free, pro, team, business or enterprise",
  },
  registration: {
    env: "CP_REGISTRATION",
    default: "open",
    parse: oneOf<"open" | "invite_only" | "closed">("open", "invite_only", "closed"),
    doc: "Who may make an account, unless `orrery-panel registration` says it: open, invite_only or closed",
  },
  growth_rate: {
    env: "CP_GROWTH_RATE",
    default: 300,
    parse: positive,
    doc: "New accounts and workspaces an hour in all",
  },
  totp_require_mfa_token: {
    env: "CP_TOTP_REQUIRE_MFA_TOKEN",
    default: true,
    parse: flag,
    doc: "false lets a code finish a sign-in without its mfa_token, from the network whose password was right just before; never for staff",
  },
  audit_days: {
    env: "CP_AUDIT_DAYS",
    default: 400,
    parse: positive,
    doc: "Days that entries of the audit logs are kept",
  },
  release_base: {
    env: "ORRERY_RELEASE_BASE",
    default: "",
    parse: parseReleaseBase,
    doc: "Place of releases; with it the line that enrols a server also installs Orrery there",
  },
  release_allow_cidrs: {
    env: RELEASE_ENV.allowed,
    default: [],
    parse: ranges,
    doc: "Ranges off the public internet that the list of releases may be read from, also over http",
  },
  agent_auto_update: {
    env: "CP_AGENT_AUTO_UPDATE",
    default: false,
    parse: flag,
    doc: "true updates the nodes of every workspace by itself, in stages, unless the workspace has chosen otherwise",
  },
  metrics_token: {
    env: "CP_METRICS_TOKEN",
    default: "",
    parse: text,
    secret: true,
    doc: "Token with which a scraper reads /api/prometheus, figures of the whole panel; off without one",
  },
  database_url: {
    env: "CP_DATABASE_URL",
    default: "",
    parse: databaseUrl,
    secret: true,
    doc: "PostgreSQL to keep everything in; without it a SQLite file in the data folder. The role must be bound by row security",
  },
  smtp_url: {
    env: "CP_SMTP_URL",
    default: null,
    parse: (value: string): MailServer | null => parseMailServer(value),
    secret: true,
    doc: "Mail server, such as smtp://user:password@mail.example.org; smtps begins encrypted, smtp+plain never does. Mail needs CP_MAIL_FROM and CP_PUBLIC_URL too",
  },
  mail_from: {
    env: "CP_MAIL_FROM",
    default: "",
    parse: mailAddress,
    doc: "Address that mail comes from",
  },
  outgoing_allow_cidrs: {
    env: "CP_OUTGOING_ALLOW_CIDRS",
    default: [],
    parse: ranges,
    doc: "Ranges off the public internet where providers of single sign-on and rooms of a chat may be, such as 10.0.0.0/8; every workspace reaches them",
  },
  log_level: {
    env: "CP_LOG_LEVEL",
    default: "info",
    parse: oneOf("debug", "info", "warn", "error"),
    doc: "Least important log lines that are written",
  },
  trusted_proxies: {
    env: "CP_TRUSTED_PROXIES",
    default: [],
    parse: addresses,
    doc: "Addresses and networks of reverse proxies whose X-Forwarded-* headers are believed",
  },
  allowed_origins: {
    env: "CP_ALLOWED_ORIGINS",
    default: [],
    parse: list,
    doc: "Other web origins that may call the API",
  },
  anonymous_rate: {
    env: "CP_ANONYMOUS_RATE",
    default: 20,
    parse: positive,
    doc: "Requests a second that one address may make without signing in",
  },
  session_rate: {
    env: "CP_SESSION_RATE",
    default: 100,
    parse: positive,
    doc: "Requests a second that one session may make",
  },
} satisfies ConfigTable;

export type PanelConfig = Config<typeof panelConfigTable>;
