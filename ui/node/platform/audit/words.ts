import type { AuditEntry } from "../../../../src/node/platform/audit/contract.ts";

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
  { value: "user.", label: "Users" },
  { value: "invite.", label: "Invitations" },
  { value: "settings.", label: "Settings" },
  { value: "app.", label: "Apps" },
  { value: "container.", label: "Containers" },
  { value: "image.", label: "Images" },
  { value: "volume.", label: "Volumes" },
  { value: "network.", label: "Networks" },
  { value: "component.", label: "Components" },
  { value: "webhook.", label: "Webhooks" },
  { value: "alert_rule.", label: "Alert rules" },
  { value: "channel.", label: "Alert channels" },
  { value: "log_forwarder.", label: "Log forwarders" },
  { value: "maintenance.", label: "Maintenance" },
  { value: "panel.", label: "Panel" },
];

const words: Record<string, string> = {
  "auth.owner_created": "Owner account made",
  "auth.signed_in": "Signed in",
  "auth.sign_in_failed": "Sign-in failed",
  "auth.signed_out": "Signed out",
  "auth.password_changed": "Passphrase changed",
  "auth.password_change_failed": "Passphrase change: wrong passphrase",
  "auth.password_reset": "Passphrase reset on the host",
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
  "totp.proof_failed": "Two-factor change: wrong proof",
  "totp.recovery_codes_made": "Recovery codes made",
  "totp.recovery_code_used": "Recovery code used",
  "app.installed": "App installed",
  "app.started": "App started",
  "app.stopped": "App stopped",
  "app.configured": "App settings changed",
  "app.updated": "App updated",
  "app.rolled_back": "App brought back",
  "app.update_failed": "App update undone",
  "app.uninstalled": "App uninstalled",
  "app.data_deleted": "Kept data of an app deleted",
  "container.made": "Container made",
  "container.started": "Container started",
  "container.stopped": "Container stopped",
  "container.restarted": "Container restarted",
  "container.removed": "Container removed",
  "container.exec_started": "Terminal in a container opened",
  "container.exec_ended": "Terminal in a container closed",
  "container.exec_refused": "Terminal in a container refused",
  "image.pulled": "Image pulled",
  "image.removed": "Images removed",
  "volume.removed": "Volume removed",
  "network.removed": "Network removed",
  "component.apply_begun": "Change of components begun",
  "component.applied": "Components changed",
  "component.apply_failed": "Change of components failed",
  "key.created": "API key made",
  "key.revoked": "API key revoked",
  "device.paired": "App paired",
  "device.removed": "App unpaired",
  "qr.approved": "Screen signed in by scanning",
  "approval.decided": "Sign-in request answered",
  "approval.code_wrong": "Sign-in request: wrong code",
  "user.created": "User added",
  "user.renamed": "User renamed",
  "user.role_changed": "Role changed",
  "user.disabled": "User switched off",
  "user.enabled": "User switched on",
  "user.deleted": "User deleted",
  "invite.created": "Invitation made",
  "invite.accepted": "Invitation accepted",
  "settings.changed": "Settings changed",
  "webhook.created": "Webhook added",
  "webhook.changed": "Webhook changed",
  "webhook.deleted": "Webhook deleted",
  "webhook.secret_rotated": "Webhook secret replaced",
  "channel.created": "Alert channel added",
  "channel.changed": "Alert channel changed",
  "channel.deleted": "Alert channel deleted",
  "channel.tested": "Alert channel tested",
  "channel.template_changed": "Alert text changed",
  "log_forwarder.created": "Log forwarder added",
  "log_forwarder.changed": "Log forwarder changed",
  "log_forwarder.deleted": "Log forwarder deleted",
  "log_forwarder.tested": "Log forwarder tested",
  "maintenance.created": "Maintenance planned",
  "maintenance.changed": "Maintenance changed",
  "maintenance.deleted": "Maintenance deleted",
  "alert_rule.created": "Alert rule made",
  "alert_rule.changed": "Alert rule changed",
  "alert_rule.deleted": "Alert rule deleted",
  "panel.connected": "Connected to a panel",
  "panel.disconnected": "Disconnected from the panel",
  "panel.ended": "Cut off by the panel",
  "panel.plan_changed": "Plan changed by the panel",
  "panel.command_run": "Command of the panel",
};

/** An action in words; one that this page does not know yet as it is. */
export function describe(action: string): string {
  return words[action] ?? action;
}

const shown = [
  "username",
  "name",
  "role",
  "host",
  "method",
  "device",
  "from",
  "to",
  "cause",
  "scopes",
  "count",
  "approved",
  "type",
  "status",
  "panel",
  "reason",
  "plan",
  "left",
  "set",
  "code",
];

/** Names of accounts by their id. */
export type Names = ReadonlyMap<string, string>;

/** Who did it, to whom, and the details that say something to a reader, on one line. */
export function detailsOf({ details }: AuditEntry, names: Names): string {
  const nameOf = (id: unknown): string | null =>
    typeof id === "string" ? (names.get(id) ?? "a user who is gone") : null;
  const { actor_id, user_id, username } = details;
  const by = nameOf(actor_id ?? user_id);
  const whom = actor_id === undefined || username !== undefined ? null : nameOf(user_id);
  const rest = shown.flatMap((key) => {
    const value = details[key];
    return ["string", "number", "boolean"].includes(typeof value)
      ? [`${key} ${String(value).replaceAll("_", " ")}`]
      : [];
  });
  return [...(by === null ? [] : [`by ${by}`]), ...(whom === null ? [] : [`user ${whom}`]), ...rest].join(", ");
}
