import type { FunctionComponent } from "preact";
import { PasswordCard } from "./people/auth/password-card.tsx";
import { DavPasswordsCard } from "./people/dav-passwords/dav-passwords-card.tsx";
import { KeysCard } from "./people/keys/keys-card.tsx";
import { AutoLockCard } from "./people/lock/auto-lock-card.tsx";
import { DevicesCard } from "./people/paired-devices/devices-card.tsx";
import { PasskeysCard } from "./people/passkeys/passkeys-card.tsx";
import { OwnSessions } from "./people/sessions/sessions-card.tsx";
import { TotpCard } from "./people/totp/totp-card.tsx";

/**
 * The cards of the security page, in their order. They are no part of the features' declarations, because those are loaded with
 * every page and these with one.
 */
export const securityCards: FunctionComponent[] = [
  PasskeysCard,
  PasswordCard,
  TotpCard,
  AutoLockCard,
  OwnSessions,
  KeysCard,
  DavPasswordsCard,
  DevicesCard,
];
