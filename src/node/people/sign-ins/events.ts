import { ofUser, onRecord, onSession } from "../../event-lines.ts";
import type { EventMeanings } from "../../event-meaning.ts";
import type { SignInEvents } from "./contract.ts";

const METHODS: Record<SignInEvents["auth.signed_in"]["method"], string> = {
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

export const signInMeanings: EventMeanings<SignInEvents> = {
  "auth.signed_in": {
    audit: onSession,
    change: { outside: "Somebody signed in" },
    timeline: ofUser((name, { device, ip, method }) => `${name} signed in ${METHODS[method]} on ${device} (${ip})`),
  },
  "auth.sign_in_failed": {
    audit: onRecord(({ username }) => `username:${username}`),
    timeline: ({ username, ip }) => ({
      category: "auth",
      severity: "warning",
      title: `Failed sign-in as ${username} from ${ip}`,
      subject: ["username", username],
      link: "/audit",
      fold: "sign-in failed",
    }),
  },
};
