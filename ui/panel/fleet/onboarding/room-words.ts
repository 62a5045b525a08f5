import type { Enrolment } from "../../../../src/panel/fleet/onboarding/contract.ts";
import { count } from "../../../client/format.ts";

/** Whether the plan has no room for another node. */
export function isFullOf(room: Pick<Enrolment, "nodes"> | null): boolean {
  return room !== null && room.nodes.limit !== null && room.nodes.used >= room.nodes.limit;
}

/** How much room the plan leaves, in words. */
export function roomText({ plan, nodes: { used, limit } }: Pick<Enrolment, "plan" | "nodes">): string {
  if (limit === null) return `${count(used, "node")}, as many as you like on the ${plan} plan`;
  return `${used.toLocaleString("en")} of ${count(limit, "node")} of the ${plan} plan`;
}
