/** What an event of the panel means to people. Each feature says it of its own events; audit knows no feature. */
import type { Feature } from "../kernel/feature.ts";
import type { UnionToIntersection } from "../lib/union-to-intersection.ts";

/** Who did something, in which workspace, and from where. */
export interface By {
  tenant_id: string;
  /** The membership; `agent` for a node, `operator` for whoever holds the host of the panel, `visitor` for who has not proven to be anybody. */
  member_id: string;
  account_id: string;
  ip: string;
}

/** Every event of the panel tells whose doing it is. */
export interface PanelEvent {
  by: By;
}

/** A member's doing. */
export const byMember = (
  { tenant_id, member_id, account_id }: Pick<By, "tenant_id" | "member_id" | "account_id">,
  ip: string,
): By => ({ tenant_id, member_id, account_id, ip });

/** A node's doing, by its certificate. */
export const byAgent = (tenant_id: string, ip: string): By => ({
  tenant_id,
  member_id: "agent",
  account_id: "agent",
  ip,
});

/** The doing of whoever holds the host of the panel. */
export const byOperator = (tenant_id: string): By => ({
  tenant_id,
  member_id: "operator",
  account_id: "operator",
  ip: "",
});

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

/** All that an event means; what is left out it does not mean. */
export interface EventMeaning<Data = PanelEvent> {
  audit?(data: Data): AuditLine;
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
