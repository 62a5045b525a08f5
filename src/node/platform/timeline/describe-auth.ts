import type { NodeEvents } from "../../events.ts";
import type { NameOf, Telling, Told } from "./describe.ts";

/** Something that happened to an account; admins and its owner see it. */
function ofUser<Data extends { user_id: string }>(
  title: (name: string, data: Data) => string,
  rest: Partial<Told> = {},
) {
  return (data: Data, nameOf: NameOf): Told => ({
    category: "auth",
    severity: "info",
    title: title(nameOf(data.user_id), data),
    subject: ["user", data.user_id],
    link: "/security",
    audience: { user_id: data.user_id },
    ...rest,
  });
}

/** Something that an admin did to an account. */
function ofAccount<Data extends { user_id: string }>(title: (name: string, data: Data) => string) {
  return ofUser<Data>(title, { link: "/users" });
}

const SUSPICIOUS = { severity: "warning", isInbox: true } as const;
const METHODS: Record<NodeEvents["auth.signed_in"]["method"], string> = {
  password: "with the passphrase",
  totp: "with passphrase and code",
  recovery_code: "with a recovery code",
  passkey: "with a passkey",
  approval: "by an approved request",
  qr: "by scanning a code",
  unlock: "by unlocking",
  panel: "through the panel",
  invite: "through the invitation",
};

export const tellAuth: Telling = {
  "auth.owner_created": ({ user_id, username }) => ({
    category: "auth",
    severity: "info",
    title: `${username} set this server up`,
    subject: ["user", user_id],
    link: "/users",
  }),
  "auth.signed_in": ofUser<NodeEvents["auth.signed_in"]>(
    (name, { device, ip, method }) => `${name} signed in ${METHODS[method]} on ${device} (${ip})`,
  ),
  "auth.sign_in_failed": ({ username, ip }) => ({
    category: "auth",
    severity: "warning",
    title: `Failed sign-in as ${username} from ${ip}`,
    subject: ["username", username],
    link: "/audit",
    fold: "sign-in failed",
  }),
  "auth.password_changed": ofUser((name) => `${name} changed the passphrase`),
  "session.refresh_reused": ofUser((name) => `A stolen sign-in of ${name} was noticed and ended`, {
    ...SUSPICIOUS,
    severity: "critical",
  }),
  "session.others_revoked": ofUser((name) => `${name} ended all other sessions`),
  "session.unlock_failed": ofUser((name) => `Failed try to unlock a session of ${name}`, {
    severity: "warning",
    fold: "unlock failed",
  }),
  "totp.enabled": ofUser((name) => `${name} turned two-factor on`),
  "totp.disabled": ofUser((name) => `${name} turned two-factor off`, SUSPICIOUS),
  "totp.recovery_code_used": ofUser<NodeEvents["totp.recovery_code_used"]>(
    (name, { left }) => `${name} used a recovery code; ${left} are left`,
    SUSPICIOUS,
  ),
  "passkey.registered": ofUser<NodeEvents["passkey.registered"]>(
    (user, { name }) => `${user} added the passkey ${name}`,
  ),
  "passkey.deleted": ofUser<NodeEvents["passkey.deleted"]>((user, { name }) => `${user} deleted the passkey ${name}`),
  "passkey.counter_regressed": ofUser((name) => `A copied passkey of ${name} was refused`, {
    ...SUSPICIOUS,
    severity: "critical",
  }),
  "approval.code_wrong": ofUser((name) => `A sign-in request to ${name} was answered with a wrong code`, SUSPICIOUS),
  "qr.approved": ofUser<NodeEvents["qr.approved"]>((name, { device }) => `${name} signed ${device} in by scanning`),
  "key.created": ofUser<NodeEvents["key.created"]>((user, { name }) => `${user} made the API key ${name}`, {
    isInbox: true,
  }),
  "key.revoked": ofUser<NodeEvents["key.revoked"]>((user, { name }) => `${user} revoked the API key ${name}`),
  "device.paired": ofUser<NodeEvents["device.paired"]>((user, { name }) => `${user} paired the app ${name}`, {
    isInbox: true,
  }),
  "device.removed": ofUser<NodeEvents["device.removed"]>((user, { name }) => `${user} removed the app ${name}`),
  "user.created": ofAccount<NodeEvents["user.created"]>((_, { username, role }) => `${username} was added as ${role}`),
  "user.role_changed": ofAccount<NodeEvents["user.role_changed"]>((name, { to }) => `${name} is now ${to}`),
  "user.disabled": ofAccount((name) => `${name} was switched off`),
  "user.enabled": ofAccount((name) => `${name} was switched on again`),
  "user.deleted": ofAccount<NodeEvents["user.deleted"]>((_, { username }) => `${username} was deleted`),
  "invite.accepted": ofAccount((name) => `${name} accepted the invitation`),
};
