import type { SettingTable } from "../../../kernel/settings.ts";

/** What an admin may change about containers that are no app's. */
export const CONTAINER_SETTINGS: SettingTable = {
  "apps.image_checks": {
    default: "true",
    type: "flag",
    doc: "Ask registries once a day whether there are newer images of containers and Compose projects",
  },
};
