import { type Finder, placeCommand } from "../../../shell/finder.ts";

const address = "/security";

/** The ways into the own account. */
export const factorsFinder: Finder = {
  order: 71,
  list: () => [
    placeCommand(
      { title: "Keys and passkeys", group: "Account", icon: "passkey", words: "security key face finger webauthn add" },
      { address, card: "Keys and passkeys" },
    ),
    placeCommand(
      { title: "Authenticator app", group: "Account", icon: "shield", words: "totp 2fa second factor two-factor" },
      { address, card: "Authenticator app" },
    ),
    placeCommand(
      { title: "Recovery codes", group: "Account", icon: "key", words: "lost phone" },
      { address, card: "Recovery codes" },
    ),
  ],
};
