import type { AuditEntry } from "../../../../src/panel/platform/audit-log/contract.ts";
import { day } from "../../../client/format.ts";

/** Beginnings of actions, as the filter offers them. */
export const areas = [
  { value: "", label: "Anything" },
  { value: "account.", label: "People and sign-ins" },
  { value: "agent.", label: "Nodes joining" },
  { value: "fleet.node.", label: "Changes of nodes" },
  { value: "fleet.instance.", label: "Nodes deleted" },
  { value: "fleet.alert.", label: "Alerts" },
  { value: "fleet.incident.", label: "Incidents" },
  { value: "fleet.bulk.", label: "Jobs" },
  { value: "fleet.command", label: "Commands" },
  { value: "fleet.rollout.", label: "Rollouts" },
  { value: "fleet.group.", label: "Groups" },
  { value: "fleet.terminal.", label: "Terminals" },
  { value: "fleet.token.", label: "Enrolment lines" },
  { value: "fleet.impersonate", label: "Servers opened" },
  { value: "oauth.", label: "Sign-ins to nodes" },
  { value: "sso.", label: "Single sign-on" },
  { value: "scim.", label: "Directory" },
  { value: "chat_channel.", label: "Chat channels" },
  { value: "team.", label: "Team" },
  { value: "workspace.", label: "Workspace" },
];

const words: Record<string, string> = {
  "account.register": "Account made",
  "account.sign_in": "Signed in",
  "account.sign_in_failed": "Wrong passphrase",
  "account.address_release": "Unproven address given to its owner",
  "account.claim": "What a stranger may have added taken off",
  "account.email_change": "Address changed",
  "account.language_change": "Language chosen",
  "account.email_verify": "Address confirmed",
  "account.factor_add": "Second factor added",
  "account.factor_failed": "Wrong second factor",
  "account.factor_remove": "Second factor removed",
  "account.factor_reset": "Second factors taken off",
  "account.factor_sign_in": "Signed in with a second factor",
  "account.key_copied": "Copied security key refused",
  "account.recovery_codes": "Recovery codes made",
  "account.link": "Link to an account made",
  "account.reset_mailed": "Link for a new passphrase mailed",
  "account.link_used": "Passphrase chosen by a link",
  "account.staff": "Platform staff changed",
  "account.sign_ins_ended": "Signed out elsewhere",
  "account.sign_out": "Signed out",
  "account.sso_join": "Joined by single sign-on",
  "account.sso_link": "Account linked to single sign-on",
  "account.sso_role": "Role changed by the provider",
  "account.sso_sign_in": "Signed in by single sign-on",
  "account.enter": "Workspace entered",
  "account.join": "Joined by an invitation",
  "account.leave": "Workspace left",
  "account.new_device": "Signed in on a new device",
  "account.onboarding": "First steps done",
  "account.profile_change": "Name changed",
  "account.password_change": "Passphrase changed",
  "agent.register": "Node enrolled",
  "agent.reregister": "Node enrolled again",
  "agent.renew": "Certificate renewed",
  "agent.token_refused": "Enrolment line refused",
  "agent.fingerprint_change": "Node runs on other hardware",
  "fleet.alert.acknowledge": "Alerts acknowledged",
  "fleet.bulk.begin": "Job begun",
  "fleet.bulk.cancel": "Job cancelled",
  "fleet.command": "Command sent",
  "fleet.command.cancel": "Command taken back",
  "fleet.command.result": "Command ended",
  "fleet.group.add": "Group made",
  "fleet.group.change": "Group changed",
  "fleet.group.remove": "Group deleted",
  "fleet.impersonate": "Server opened from here",
  "fleet.incident.note": "Note to an incident written",
  "fleet.instance.delete": "Node deleted",
  "fleet.node.client": "Client of a node changed",
  "fleet.node.group": "Group of a node changed",
  "fleet.node.mark_offline": "Node marked offline",
  "fleet.node.notice": "Notice about a node put away",
  "fleet.node.region": "Region of a node changed",
  "fleet.node.tags": "Tags of a node changed",
  "fleet.terminal.ticket": "Terminal asked for",
  "fleet.terminal.recording_read": "Recording of a terminal looked at",
  "fleet.terminal.refused": "Terminal refused",
  "fleet.terminal.start": "Terminal opened",
  "fleet.terminal.end": "Terminal ended",
  "fleet.rollout.create": "Rollout begun",
  "fleet.rollout.pause": "Rollout paused",
  "fleet.rollout.promote": "Rollout promoted",
  "fleet.rollout.resume": "Rollout resumed",
  "fleet.rollout.rollback": "Rollout rolled back",
  "fleet.rollout.state": "Rollout went on by itself",
  "fleet.token.create": "Enrolment line made",
  "fleet.token.revoke": "Enrolment line taken back",
  "oauth.consent": "Sign-in to a node allowed",
  "sso.certificate_ending": "Certificate of single sign-on ends",
  "sso.certificates_change": "Certificates of single sign-on changed",
  "sso.connector_add": "Single sign-on set up",
  "sso.connector_change": "Single sign-on changed",
  "sso.connector_remove": "Single sign-on deleted",
  "sso.connector_state": "Single sign-on turned on or off",
  "sso.domain_add": "Domain added",
  "sso.domain_lapse": "Proof of a domain gone",
  "sso.domain_remove": "Domain removed",
  "sso.domain_verify": "Domain proven",
  "sso.refused": "Not let in by single sign-on",
  "sso.test": "Single sign-on tested",
  "chat_channel.add": "Chat channel added",
  "chat_channel.change": "Chat channel changed",
  "chat_channel.off": "Chat channel switched off by itself",
  "chat_channel.pause": "Chat channel paused",
  "chat_channel.take_over": "Chat channel taken over",
  "chat_channel.remove": "Chat channel deleted",
  "scim.group_role": "What a group of the directory is here changed",
  "scim.role": "Role changed by the directory",
  "scim.token_add": "Token for a directory made",
  "scim.token_pause": "Token for a directory paused",
  "scim.token_take_over": "Token for a directory taken over",
  "scim.token_remove": "Token for a directory deleted",
  "scim.user_add": "Brought in by the directory",
  "scim.user_change": "Changed by the directory",
  "scim.user_off": "Access ended by the directory",
  "scim.user_on": "Access given back by the directory",
  "team.factor_reset": "Reset of second factors asked for",
  "team.factor_reset_done": "Second factors taken off after a day",
  "team.factor_reset_stop": "Reset of second factors stopped",
  "team.invite": "Invited",
  "team.invite_link": "Link of an invitation made",
  "team.invite_resend": "Invitation sent again",
  "team.invite_revoke": "Invitation taken back",
  "team.clear": "Everybody but the owner removed",
  "team.remove": "Member removed",
  "team.restore": "Member taken back",
  "team.role_change": "Role changed",
  "workspace.plan_by_staff": "Plan changed by the staff of the panel",
  "workspace.resume": "Workspace opened again",
  "workspace.support_close": "Staff of the panel no longer let in",
  "workspace.support_enter": "Staff of the panel came in",
  "workspace.support_open": "Staff of the panel let in",
  "workspace.suspend": "Workspace suspended",
  "workspace.create": "Workspace made",
  "workspace.rename": "Workspace renamed",
  "workspace.delete": "Workspace deleted",
  "workspace.mode": "Kind of workspace changed",
  "workspace.put_back": "Panel brought back from a backup",
  "workspace.plan": "Plan changed",
  "workspace.settings": "Workspace rules changed",
};

/** An action in words; one that this page does not know yet as it is. */
export function describe(action: string): string {
  return words[action] ?? action;
}

/** Who did it, for people. */
export function actorText({ kind, name }: AuditEntry["actor"]): string {
  if (kind === "directory") return "Directory of the company";
  if (kind === "operator") return "Operator of the panel";
  if (kind === "panel") return "The panel by itself";
  if (kind === "visitor") return "Somebody not signed in";
  if (kind === "node") return "The node itself";
  return name ?? "A member who is gone";
}

/** Both on one line, for phones. */
export function whoAndWhat(entry: AuditEntry): string {
  const { kind } = entry.actor;
  const others: Partial<Record<typeof kind, string>> = {
    node: "by itself",
    directory: "by the directory",
    operator: "by the operator",
    panel: "by the panel itself",
    visitor: "by somebody not signed in",
  };
  const who = others[kind] ?? `by ${actorText(entry.actor)}`;
  return `${subjectText(entry)} ${who}`.trim();
}

/** What it was done to; empty where the event says it already. */
export function subjectText({ action, subject, details }: AuditEntry): string {
  if (/^(workspace|account)\./.test(action)) return "";
  const told = details["name"] ?? details["hostname"];
  const name = subject.name ?? (typeof told === "string" ? told : subject.id);
  const nodes = details["instances"];
  // A command to many names the first of them.
  return typeof nodes === "number" && nodes > 1 ? `${name} and ${(nodes - 1).toLocaleString("en")} more` : name;
}

/** Whether the subject is a node that has a page. */
export function isNode({ action }: AuditEntry): boolean {
  return /^(agent\.(?!token)|fleet\.node\.|fleet\.impersonate|fleet\.terminal\.|fleet\.command\.(?:cancel|result)|oauth\.)/.test(
    action,
  );
}

/** Details that the line leaves out: ids say nothing to a reader, and the subject's name is shown already. The export has them all. */
const silent = new Set([
  "previous",
  "previous_role",
  "name",
  "hostname",
  "severity",
  "identity",
  "params",
  "marked_offline",
  "terminal_id",
]);
const titles: Record<string, string> = {
  max_uses: "uses at most",
  expires_at: "good until",
  require_2fa: "second factor required",
  record_terminal_sessions: "terminals recorded",
  agent_auto_update: "updates by itself",
  redirect_host: "at",
  client_id: "client",
  group_id: "group",
};
/** Ids that are shown as the name of what they stand for. */
const ids = new Set(["client_id", "group_id"]);

/** Ways to prove who one is, as people call them: `method` of a sign-in, `kind` of a factor. */
const proofs: Record<string, string> = {
  totp: "code of an authenticator app",
  webauthn: "security key",
  key: "security key",
  recovery_code: "recovery code",
  passkey: "passkey",
  password: "password",
};

/** What else there is to say on one line, such as "region eu-west, was none". */
export function detailsText({ action, details }: AuditEntry, names: ReadonlyMap<string, string>): string {
  const previous = before(details);
  return Object.entries(details)
    .filter(([key]) => !silent.has(key) && (ids.has(key) || !/_ids?$/.test(key)))
    .map(([key, value]) => {
      if (action === "agent.reregister" && key === "hardware") return hardwareText(value);
      if (isProof(action, key)) return proofText(action, value);
      const title = titles[key] ?? key.replaceAll("_", " ");
      const told = (one: unknown): string => (ids.has(key) ? nameText(one, names) : valueText(one));
      const now = `${title} ${told(value)}`;
      return Object.hasOwn(previous, key) ? `${now}, was ${told(previous[key])}` : now;
    })
    .join(", ");
}

function isProof(action: string, key: string): boolean {
  return action.startsWith("account.factor_") && (key === "method" || key === "kind");
}

function proofText(action: string, value: unknown): string {
  if (typeof value !== "string") return "";
  // What is added or removed is the app, not a code of it.
  if (value === "totp" && /_(?:add|remove)$/.test(action)) return "authenticator app";
  return Object.hasOwn(proofs, value) ? (proofs[value] ?? value) : value.replaceAll("_", " ");
}

function before({ previous, previous_role, ...rest }: Record<string, unknown>): Record<string, unknown> {
  if (previous_role !== undefined) return { role: previous_role };
  if (typeof previous === "object" && previous !== null) return { ...previous };
  const only = Object.keys(rest)[0];
  return previous === undefined || only === undefined ? {} : { [only]: previous };
}

function hardwareText(value: unknown): string {
  if (value === "same_hardware") return "same hardware";
  return value === "other_hardware" ? "other hardware" : "other hardware, while the former one was alive";
}

function nameText(id: unknown, names: ReadonlyMap<string, string>): string {
  if (typeof id !== "string") return "none";
  return names.get(id) ?? "one that is gone";
}

function valueText(value: unknown): string {
  if (value === null || value === "" || (Array.isArray(value) && value.length === 0)) return "none";
  if (typeof value === "boolean") return value ? "yes" : "no";
  if (Array.isArray(value)) return value.map(valueText).join(" ");
  if (typeof value === "string" && /^\d{4}-\d\d-\d\dT/.test(value)) return day(value);
  if (typeof value === "string") return value.replace(/^org_/, "");
  return typeof value === "number" ? value.toLocaleString("en") : JSON.stringify(value);
}
