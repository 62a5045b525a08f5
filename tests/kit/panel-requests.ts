import { SIGN_IN_URL } from "./tenant-things.ts";

/** Asks for a sign-in at another program; `{id}` as in `BODIES`. */
export const SIGN_IN = {
  response_type: "code",
  client_id: "{id}",
  redirect_uri: SIGN_IN_URL,
  state: "12345678",
  code_challenge: "A".repeat(43),
  code_challenge_method: "S256",
};

const CREDENTIAL = { id: "{id}", rawId: "A", type: "public-key" };

const WAYS = { inapp: true, email: true };
const KINDS = {
  "incident.opened": WAYS,
  "incident.escalated": WAYS,
  "node.offline": WAYS,
  "canary.paused": WAYS,
  "invitation.accepted": WAYS,
};

const CONNECTOR = {
  ...{ name: "Company", issuer: "https://login.example.org", oidc_client: "orrery", role_claim: null },
  ...{ role_rules: [], default_role: "org_viewer" },
};

const CHAT_CHANNEL = {
  ...{ name: "Operations", service: "slack", url: "https://chat.example.org/hook", kinds: ["node.offline"] },
};

const ROLLOUT = {
  name: "To the racks",
  kind: "os_version",
  target_version: "9.9.9",
  filter: { group_ids: ["{id}"], instance_ids: ["{id}"] },
};

/**
 * A body that each changing route of the panel accepts, so that only the caller decides; a new route needs one. `{id}` becomes an id of
 * another workspace.
 */
export const BODIES: Record<string, unknown> = {
  "POST /api/oauth/authorize/consent": { ...SIGN_IN, approve: true },
  "PUT /api/auth/profile": { name: "Renamed" },
  "PUT /api/auth/language": { language: "de" },
  "POST /api/auth/change-password": { old_password: "wrong password", new_password: "another good phrase" },
  "POST /api/auth/password": { old_password: "wrong password", new_password: "another good phrase" },
  "POST /api/auth/onboarding": {},
  "POST /api/auth/logout": undefined,
  "DELETE /api/auth/sessions": undefined,
  "DELETE /api/auth/sessions/{id}": undefined,
  "POST /api/auth/totp/enable": undefined,
  "POST /api/auth/totp/verify": { code: "000000" },
  "POST /api/auth/totp/disable": undefined,
  "POST /api/auth/recovery-codes": undefined,
  "POST /api/auth/webauthn/register/begin": undefined,
  "POST /api/auth/webauthn/register/finish": {
    session_id: "{id}",
    name: "Desk",
    credential: { ...CREDENTIAL, response: { clientDataJSON: "", attestationObject: "" } },
  },
  "PATCH /api/auth/webauthn/credentials/{id}": { name: "Desk" },
  "DELETE /api/auth/webauthn/credentials/{id}": undefined,
  "POST /api/auth/step-up/begin": undefined,
  "POST /api/auth/step-up": {
    session_id: "{id}",
    credential: { ...CREDENTIAL, response: { clientDataJSON: "", authenticatorData: "", signature: "" } },
  },
  "PUT /api/auth/email": { email: "renamed@example.org" },
  "DELETE /api/auth/email": undefined,
  "POST /api/auth/email/send": undefined,
  "POST /api/auth/refresh": undefined,
  "DELETE /api/fleet/instances/{id}": undefined,
  "POST /api/fleet/instances/{id}/impersonate": undefined,
  "POST /api/fleet/instances/{id}/terminal/ticket": { app: "blog" },
  "POST /api/fleet/commands": { instance_ids: ["{id}"], command: "inventory.refresh" },
  "POST /api/fleet/bulk": { action: "run_command", instance_ids: ["{id}"], params: { type: "inventory.refresh" } },
  "POST /api/fleet/bulk/preview": { action: "remove", instance_ids: ["{id}"] },
  "POST /api/fleet/bulk-jobs/{id}/cancel": undefined,
  "POST /api/fleet/commands/{id}/cancel": undefined,
  "POST /api/fleet/rollouts": ROLLOUT,
  "POST /api/fleet/rollouts/preview": ROLLOUT,
  "POST /api/fleet/rollouts/{id}/promote": undefined,
  "POST /api/fleet/rollouts/{id}/resume": undefined,
  "POST /api/fleet/rollouts/{id}/pause": { reason: "Wait" },
  "POST /api/fleet/rollouts/{id}/rollback": { reason: "Back" },
  "POST /api/fleet/canary": { target_version: "9.9.9", filter: ROLLOUT.filter },
  "POST /api/fleet/groups": { name: "Racks" },
  "PATCH /api/fleet/groups/{id}": { name: "Renamed" },
  "DELETE /api/fleet/groups/{id}": undefined,
  "PUT /api/fleet/instances/{id}/client": { client_id: "{id}" },
  "PUT /api/fleet/instances/{id}/group": { group_id: "{id}" },
  "PUT /api/fleet/instances/{id}/region": { region: "eu" },
  "PUT /api/fleet/instances/{id}/tags": { tags: ["prod"] },
  "POST /api/fleet/instances/{id}/mark-offline": undefined,
  "POST /api/fleet/alerts/acknowledge": {
    rule: "cpu_high",
    region: null,
    since: "2026-01-01T00:00:00.000Z",
    latest: "2100-01-01T00:00:00.000Z",
    instance_id: "{id}",
  },
  "POST /api/fleet/incidents/{id}/notes": { text: "The switch of the rack was replaced." },
  "POST /api/fleet/notices/{id}/acknowledge": undefined,
  "POST /api/fleet/tokens": { name: "Racks", group_id: "{id}" },
  "DELETE /api/fleet/tokens/{id}": undefined,
  "PUT /api/fleet/views": { views: [{ name: "Mine", query: "q=web" }] },
  "POST /api/onboarding/enroll-token": { ttl_minutes: 5 },
  "POST /api/staff/workspaces/{id}/suspend": { reason: "Not paid" },
  "POST /api/staff/workspaces/{id}/resume": undefined,
  "PUT /api/staff/workspaces/{id}/plan": { plan: "pro" },
  "POST /api/staff/workspaces/{id}/enter": undefined,
  "POST /api/support-access": { hours: 1, note: "Look" },
  "DELETE /api/support-access": undefined,
  "POST /api/chat-channels": CHAT_CHANNEL,
  "PUT /api/chat-channels/{id}": CHAT_CHANNEL,
  "DELETE /api/chat-channels/{id}": undefined,
  "POST /api/chat-channels/{id}/take-over": undefined,
  "POST /api/chat-channels/{id}/test": undefined,
  "POST /api/scim/tokens": { name: "Company", expires_in_days: 30 },
  "DELETE /api/scim/tokens/{id}": undefined,
  "PUT /api/scim/groups/{id}": { role: "org_viewer" },
  "POST /api/sso/connectors": CONNECTOR,
  "POST /api/sso/read-metadata": { metadata: "<EntityDescriptor/>" },
  "PUT /api/sso/connectors/{id}": CONNECTOR,
  "DELETE /api/sso/connectors/{id}": undefined,
  "POST /api/sso/connectors/{id}/test": undefined,
  "POST /api/sso/connectors/{id}/turn-on": undefined,
  "POST /api/sso/connectors/{id}/turn-off": undefined,
  "POST /api/sso/connectors/{id}/enforce": { break_glass_member_id: "{id}" },
  "POST /api/domains": { host: "company.example" },
  "POST /api/domains/{id}/verify": undefined,
  "DELETE /api/domains/{id}": undefined,
  "PUT /api/team/members/{id}/role": { role: "org_viewer" },
  "DELETE /api/team/members/{id}": undefined,
  "POST /api/team/members/{id}/restore": undefined,
  "POST /api/team/members/{id}/factor-reset": undefined,
  "DELETE /api/team/members/{id}/factor-reset": undefined,
  "DELETE /api/auth/factor-resets": undefined,
  "POST /api/invitations/bulk": { emails: "somebody@invited.example", role: "org_viewer" },
  "POST /api/invitations/{id}/resend": undefined,
  "POST /api/invitations/{id}/link": undefined,
  "DELETE /api/invitations/{id}": undefined,
  "POST /api/notifications/{id}/read": undefined,
  "POST /api/notifications/read-all": undefined,
  "PUT /api/profile/notifications": { kinds: KINDS },
  "PUT /api/auth/notifications": { kinds: KINDS },
  "POST /api/presence/heartbeat": { page: "/fleet" },
  "PUT /api/v1/workspace/mode": { mode: "school" },
  "PUT /api/v1/workspace/settings": { require_2fa: true },
  "POST /api/workspaces": { name: "Another" },
  "PATCH /api/workspaces/{id}": { name: "Renamed" },
  "DELETE /api/workspaces/{id}": undefined,
  "POST /api/workspaces/{id}/leave": undefined,
  "POST /api/workspaces/{id}/switch": undefined,
};

/** Answers without a word in them. */
export const WORDLESS = [
  "auth/totp",
  "auth/language",
  "auth/sessions",
  "auth/notifications",
  "notifications/count",
  "profile/notifications",
  "fleet/instances/{id}/states",
  "fleet/instances/{id}/terminal-recordings/{recID}",
  "changes",
  "fleet/summary",
  "v1/workspace/mode",
  "v1/workspace/settings",
];
