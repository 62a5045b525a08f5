import { type Finder, placeCommand, wishCommand } from "../../../shell/finder.ts";

/** The phones of the account, and a new one. */
export const pairedDevicesFinder: Finder = {
  order: 75,
  list: () => [
    wishCommand(
      { title: "Pair an app", group: "Security", icon: "phone", words: "mobile phone device" },
      { address: "/security", wish: "device" },
    ),
    placeCommand(
      { title: "Paired mobile apps", group: "Security", icon: "phone", words: "devices phones" },
      { address: "/security", card: "Paired mobile apps" },
    ),
  ],
};
