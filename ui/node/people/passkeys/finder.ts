import { type Finder, placeCommand } from "../../../shell/finder.ts";

/** The passkeys of the account. */
export const passkeysFinder: Finder = {
  order: 73,
  list: () => [
    placeCommand(
      { title: "Passkeys", group: "Security", icon: "passkey", words: "face finger webauthn security key add" },
      { address: "/security", card: "Passkeys" },
    ),
  ],
};
