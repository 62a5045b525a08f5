import { addressOf } from "../../../client/base.ts";
import { asProblem } from "../../../client/problem.ts";
import { toast } from "../../../kit/toasts.ts";
import { api } from "../../client/api.ts";

/** Has the browser save a file, or a version of it. */
export async function download(id: string, versionId: string | null = null): Promise<void> {
  try {
    // A session that has run out is renewed by this, which a plain link cannot do.
    await api("GET /api/auth/me");
  } catch (error) {
    return toast(asProblem(error).message, { state: "crit" });
  }
  const link = document.createElement("a");
  const version = versionId === null ? "" : `?version_id=${encodeURIComponent(versionId)}`;
  link.href = addressOf(`/api/drive/raw/${encodeURIComponent(id)}${version}`);
  link.download = "";
  link.click();
}
