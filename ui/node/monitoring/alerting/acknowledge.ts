import { asProblem } from "../../../client/problem.ts";
import { toast } from "../../../kit/toasts.ts";
import { api } from "../../client/api.ts";

/** Takes over an alert: reminders end. Says how it went. */
export async function acknowledgeAlert(id: string): Promise<void> {
  try {
    await api("POST /api/alerting/events/{id}/acknowledge", { path: { id } });
    toast("Acknowledged. There will be no more reminders.");
  } catch (error) {
    toast(asProblem(error).message, { state: "crit" });
  }
}
