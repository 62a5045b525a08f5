import { type Finder, placeCommand } from "../../../shell/finder.ts";

/** The second factor of the account. */
export const totpFinder: Finder = {
  order: 72,
  list: () => [
    placeCommand(
      {
        title: "Two-factor sign-in",
        group: "Security",
        icon: "shield",
        words: "totp code authenticator recovery codes 2fa",
      },
      { address: "/security", card: "Two-factor sign-in" },
    ),
  ],
};
