import type { AuditEntry } from "../../../client/types.ts";

/** Beginnings of actions, as the filter offers them. */
export const areas = [
  { value: "", label: "All events" },
  { value: "auth.", label: "Signing in" },
  { value: "session.", label: "Sessions and lock" },
  { value: "passkey.", label: "Passkeys" },
  { value: "totp.", label: "Two-factor" },
  { value: "approval.", label: "Approvals" },
  { value: "qr.", label: "Scanned codes" },
  { value: "key.", label: "API keys" },
  { value: "device.", label: "Paired apps" },
  { value: "webhook.", label: "Webhooks" },
  { value: "user.", label: "Users" },
  { value: "invite.", label: "Invitations" },
];

const words: Record<string, string> = {
  "auth.owner_created": "Owner account made",
  "auth.signed_in": "Signed in",
  "auth.sign_in_failed": "Sign-in failed",
  "auth.signed_out": "Signed out",
  "auth.password_changed": "Passphrase changed",
  "session.locked": "Locked",
  "session.unlocked": "Unlocked",
  "session.unlock_failed": "Unlock failed",
  "session.revoked": "Session ended",
  "session.others_revoked": "Other sessions ended",
  "session.refresh_reused": "Stolen sign-in noticed and ended",
  "passkey.registered": "Passkey added",
  "passkey.deleted": "Passkey deleted",
  "passkey.counter_regressed": "Copied passkey refused",
  "totp.enabled": "Two-factor turned on",
  "totp.disabled": "Two-factor turned off",
  "totp.recovery_codes_made": "Recovery codes made",
  "totp.recovery_code_used": "Recovery code used",
  "key.created": "API key made",
  "key.revoked": "API key revoked",
  "device.paired": "App paired",
  "device.removed": "App unpaired",
  "qr.approved": "Screen signed in by scanning",
  "approval.decided": "Sign-in request answered",
  "approval.code_wrong": "Sign-in request: wrong code",
  "webhook.created": "Webhook added",
  "webhook.changed": "Webhook changed",
  "webhook.deleted": "Webhook deleted",
  "webhook.secret_rotated": "Webhook secret changed",
  "user.created": "User added",
  "user.role_changed": "Role changed",
  "user.disabled": "User switched off",
  "user.enabled": "User switched on",
  "user.deleted": "User deleted",
  "invite.created": "Invitation made",
  "invite.accepted": "Invitation accepted",
};

/** An action in words; one that this page does not know yet as it is. */
export function describe(action: string): string {
  return words[action] ?? action;
}

const shown = [
  "username",
  "name",
  "host",
  "method",
  "device",
  "from",
  "to",
  "cause",
  "scopes",
  "count",
  "approved",
  "left",
];

/** The details that say something to a reader, on one line. */
export function detailsOf(entry: AuditEntry): string {
  return shown
    .flatMap((key) => {
      const value = entry.details[key];
      return ["string", "number", "boolean"].includes(typeof value)
        ? [`${key} ${String(value).replaceAll("_", " ")}`]
        : [];
    })
    .join(", ");
}
