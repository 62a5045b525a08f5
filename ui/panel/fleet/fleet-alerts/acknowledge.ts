import type { AlertGroup } from "../../../../src/panel/fleet/fleet-alerts/contract.ts";
import { asProblem } from "../../../client/problem.ts";
import { toast } from "../../../kit/toasts.ts";
import { api } from "../../client/api.ts";

/** Says that whoever is here knows of a group, and tells how that went. */
export async function acknowledge({ rule, region, since, latest }: AlertGroup, title: string): Promise<void> {
  try {
    await api("POST /api/fleet/alerts/acknowledge", { body: { rule, region, since, latest } });
    toast(`You have it: ${title}.`);
  } catch (error) {
    toast(asProblem(error).message, { state: "crit" });
  }
}
