/** What an event of the panel means to people. Each feature says it of its own events; audit and notifications know no feature. */
import type { Feature } from "../kernel/feature.ts";
import type { UnionToIntersection } from "../lib/union-to-intersection.ts";
import type { Permission } from "./access.ts";
import type { InEach } from "./languages.ts";

/** Who did something, in which workspace, and from where. */
export interface By {
  tenant_id: string;
  /**
   * The membership; `agent` for a node, `directory` for that of the workspace, `operator` for whoever holds the host of the panel,
   * `panel` for what it does by itself, `visitor` for who has not proven to be anybody.
   */
  member_id: string;
  account_id: string;
  ip: string;
  /** True when the workspace's own sign-in let them in. */
  is_wsl?: boolean;
}

/** Every event of the panel tells whose doing it is. */
export interface PanelEvent {
  by: By;
}

/** A member's doing. */
export const byMember = ({ tenant_id, member_id, account_id, is_wsl = false }: Omit<By, "ip">, ip: string): By => ({
  tenant_id,
  member_id,
  account_id,
  ip,
  ...(is_wsl ? { is_wsl } : {}),
});

/** A node's doing, by its certificate. */
export const byAgent = (tenant_id: string, ip: string): By => ({
  tenant_id,
  member_id: "agent",
  account_id: "agent",
  ip,
});

/** The doing of the workspace's directory. */
export const byDirectory = (tenant_id: string, ip: string): By => ({
  tenant_id,
  member_id: "directory",
  account_id: "directory",
  ip,
});

/** The doing of whoever holds the host of the panel. */
export const byOperator = (tenant_id: string): By => ({
  tenant_id,
  member_id: "operator",
  account_id: "operator",
  ip: "",
});

/** What the panel does by itself. */
export const byPanel = (tenant_id: string): By => ({ tenant_id, member_id: "panel", account_id: "panel", ip: "" });

/** The doing of somebody who has not proven who they are. */
export const byVisitor = (tenant_id: string, ip: string): By => ({
  tenant_id,
  member_id: "visitor",
  account_id: "visitor",
  ip,
});

/** A line of the audit log, whose action is the name of the event. */
export interface AuditLine {
  /** What it was done to. */
  subject_id: string;
  details: Record<string, unknown>;
}

/** The kinds of notifications, each with something that tells of it. */
export const NOTICE_KINDS = [
  "incident.opened",
  "incident.escalated",
  "node.offline",
  "canary.paused",
  "invitation.accepted",
  // About the safety of an account: these cannot be switched off.
  "account.factor_reset",
  "account.new_device",
  // About the way into a workspace: neither can these.
  "sso.certificate",
  "scim.token_paused",
  // About who hears of all others: nor can these.
  "chat_channel.off",
  "chat_channel.paused",
] as const;
export type NoticeKind = (typeof NOTICE_KINDS)[number];

/** How something is told. */
export interface NoticeWords {
  /** One line, without a full stop. */
  title: string;
  /** Sentences, or nothing. */
  body: string;
}

/** What people should know of, told once for each event. */
export interface Notice {
  kind: NoticeKind;
  severity: "info" | "success" | "warning" | "critical";
  /** The list shows the English ones, letters and chats those of whoever reads them. */
  words: InEach<NoticeWords>;
  /** The page that shows it, as a path. */
  link: string;
  /** Whom it concerns. */
  to: { permission: Permission } | { member_id: string };
}

/** What is wrong by rules of its own, besides what the fleet shows. */
export const DECLARED_RULES = ["rollout_stopped"] as const;

/** That something is wrong with a thing of the panel, or no longer; a thing has one incident of a rule. */
export type IncidentMark = { rule: (typeof DECLARED_RULES)[number]; subject: string } & (
  | {
      is: "open";
      severity: "warning" | "critical";
      /** What is wrong, without a full stop. */
      title: string;
      /** Why. */
      text: string;
      /** The page where it is mended, as a path. */
      link: string;
    }
  | { is: "over" }
);

/** All that an event means; what is left out it does not mean. */
export interface EventMeaning<Data = PanelEvent> {
  audit?(data: Data): AuditLine;
  /** Several where those whom it concerns are led to different pages; nobody may be meant by two of them. */
  notice?(data: Data): Notice | readonly Notice[];
  /** Only of events that are told in transactions of the panel itself, not of a request. */
  incident?(data: Data): IncidentMark;
}

/** What a feature's events mean, by their names; every event of the feature may have a meaning, none must. */
export type EventMeanings<Events> = { readonly [Name in keyof Events]?: EventMeaning<Events[Name]> };

/** The events of features, as their meanings tell them. */
export type EventsOf<Features extends readonly PanelFeature[]> = UnionToIntersection<
  Features[number] extends infer One ? (One extends { events: EventMeanings<infer Events> } ? Events : never) : never
>;

/** What every event of the program means, by its name. */
export type AllMeanings = ReadonlyMap<string, EventMeaning>;

/** The static half of a feature of the panel. */
export type PanelFeature = Feature<EventMeaning>;
