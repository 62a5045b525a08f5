import type { EventMeanings } from "../../event-meaning.ts";
import type { WorkspaceSettingsEvents } from "./contract.ts";

/** What changes of a workspace's settings mean. */
export const workspaceSettingsMeanings: EventMeanings<WorkspaceSettingsEvents> = {
  "workspace.settings": { audit: ({ by, change }) => ({ subject_id: by.tenant_id, details: change }) },
  "workspace.mode": { audit: ({ by, mode, previous }) => ({ subject_id: by.tenant_id, details: { mode, previous } }) },
};
