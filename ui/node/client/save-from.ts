import { addressOf } from "../../client/base.ts";
import { asProblem } from "../../client/problem.ts";
import { toast } from "../../kit/toasts.ts";
import { api } from "./api.ts";

/** Has the browser save what a path of the API answers; says so where nobody is signed in any more. */
export async function saveFrom(path: string): Promise<void> {
  try {
    // A session that has run out is renewed by this, which a plain link cannot do.
    await api("GET /api/auth/me");
  } catch (error) {
    toast(asProblem(error).message, { state: "crit" });
    return;
  }
  const link = document.createElement("a");
  link.href = addressOf(path);
  link.download = "";
  link.click();
}
