import { count } from "../../../client/format.ts";
import { navigate } from "../../../client/router.ts";
import { toast } from "../../../kit/toasts.ts";
import { api } from "../../client/api.ts";

/** After a new passphrase: says which keys open the account as before, because whoever got in could have added one. */
export async function tellKeysThatStay(): Promise<void> {
  const { credentials } = await api("GET /api/auth/webauthn/credentials");
  if (credentials.length === 0) return;
  const keys = count(credentials.length, "security key");
  const say = `${keys} still ${credentials.length === 1 ? "opens" : "open"} your account. Remove what is not yours.`;
  toast(say, { state: "warn", action: { label: "Look", run: () => navigate("/security") } });
}
