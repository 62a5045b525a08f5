import type { NodeEvents } from "../../events.ts";
import type { AuditFact } from "./chain.ts";

/** Null: not for the log. */
type Describe<Data> = (data: Data) => Omit<AuditFact, "action"> | null;
type Audited = { [Name in keyof NodeEvents]?: Describe<NodeEvents[Name]> };

const user = (id: string): string => `user:${id}`;

/** An event whose address is `ip` and whose other fields are all worth keeping. */
function keep<Data extends { ip: string }>(resource: (data: Data) => string): Describe<Data> {
  return (data) => {
    const { ip, ...details } = data;
    return { resource: resource(data), details, ip_address: ip };
  };
}

const byUser = keep<{ user_id: string; ip: string }>(({ user_id }) => user(user_id));

/** Without the id of the request: whoever knows it may fetch the session that was approved. */
const ofApproval: Describe<NodeEvents["approval.code_wrong"]> = ({ request_id: _, ...data }) => byUser(data);

/** What people did to an app; what came about by itself is the timeline's. */
const ofApp: Describe<NodeEvents["app.started"]> = ({ by, ...details }) =>
  by ? { resource: `app:${details.app_id}`, details: { ...details, user_id: by.user_id }, ip_address: by.ip } : null;

/** Bus events that reach the audit log, under their own name. Passwords, codes and tokens are in none of them. */
export const AUDITED: Audited = {
  "auth.owner_created": byUser,
  "auth.signed_in": keep(({ session_id }) => `session:${session_id}`),
  "auth.sign_in_failed": keep(({ username }) => `username:${username}`),
  "auth.signed_out": keep(({ session_id }) => `session:${session_id}`),
  "auth.password_changed": byUser,
  "auth.password_change_failed": byUser,
  "auth.password_reset": byUser,
  "session.revoked": keep(({ session_id }) => `session:${session_id}`),
  "session.others_revoked": byUser,
  "session.refresh_reused": keep(({ session_id }) => `session:${session_id}`),
  "session.locked": keep(({ session_id }) => `session:${session_id}`),
  "session.unlocked": keep(({ session_id }) => `session:${session_id}`),
  "session.unlock_failed": byUser,
  "user.created": byUser,
  "user.role_changed": byUser,
  "user.disabled": byUser,
  "user.enabled": byUser,
  "user.deleted": byUser,
  "invite.created": byUser,
  "invite.accepted": byUser,
  "totp.enabled": byUser,
  "totp.disabled": byUser,
  "totp.proof_failed": byUser,
  "totp.recovery_codes_made": byUser,
  "totp.recovery_code_used": byUser,
  "passkey.registered": keep(({ passkey_id }) => `passkey:${passkey_id}`),
  "passkey.deleted": keep(({ passkey_id }) => `passkey:${passkey_id}`),
  "passkey.counter_regressed": keep(({ passkey_id }) => `passkey:${passkey_id}`),
  "approval.decided": ofApproval,
  "approval.code_wrong": ofApproval,
  "qr.approved": byUser,
  "key.created": keep(({ key_id }) => `key:${key_id}`),
  "key.revoked": keep(({ key_id }) => `key:${key_id}`),
  "device.paired": keep(({ device_id }) => `device:${device_id}`),
  "device.removed": keep(({ device_id }) => `device:${device_id}`),
  "webhook.created": keep(({ webhook_id }) => `webhook:${webhook_id}`),
  "webhook.changed": keep(({ webhook_id }) => `webhook:${webhook_id}`),
  "webhook.deleted": keep(({ webhook_id }) => `webhook:${webhook_id}`),
  "webhook.secret_rotated": keep(({ webhook_id }) => `webhook:${webhook_id}`),
  "channel.created": keep(({ channel_id }) => `channel:${channel_id}`),
  "channel.changed": keep(({ channel_id }) => `channel:${channel_id}`),
  "channel.deleted": keep(({ channel_id }) => `channel:${channel_id}`),
  "channel.tested": keep(({ channel_id }) => `channel:${channel_id}`),
  "channel.template_changed": keep(({ kind, channel_type }) => `alert_template:${kind}/${channel_type}`),
  "alert_rule.created": keep(({ rule_id }) => `alert_rule:${rule_id}`),
  "alert_rule.changed": keep(({ rule_id }) => `alert_rule:${rule_id}`),
  "alert_rule.deleted": keep(({ rule_id }) => `alert_rule:${rule_id}`),
  "maintenance.created": keep(({ window_id }) => `maintenance:${window_id}`),
  "maintenance.changed": keep(({ window_id }) => `maintenance:${window_id}`),
  "maintenance.deleted": keep(({ window_id }) => `maintenance:${window_id}`),
  "app.installed": ofApp,
  "app.started": ofApp,
  "app.stopped": ofApp,
  "app.uninstalled": ofApp,
  "app.data_deleted": keep(({ app_id }) => `app:${app_id}`),
  "settings.changed": keep(() => "settings"),
  "panel.connected": keep(({ panel }) => `panel:${panel}`),
  "panel.disconnected": keep(({ panel }) => `panel:${panel}`),
  "panel.ended": keep(({ panel }) => `panel:${panel}`),
  "panel.plan_changed": keep(() => "plan"),
  "panel.command_run": keep(({ command_id }) => `panel_command:${command_id}`),
};

/** The audit entry of an event, or null when it is not one for the log. */
export function describeEvent<Name extends keyof NodeEvents>(name: Name, data: NodeEvents[Name]): AuditFact | null {
  const describe: Describe<NodeEvents[Name]> | undefined = AUDITED[name];
  const fact = describe?.(data);
  return fact ? { action: name, ...fact } : null;
}
