import type { EventMeanings } from "../../event-meaning.ts";
import type { WorkspaceEvents } from "./contract.ts";

/** What coming and going mean. */
export const workspaceMeanings: EventMeanings<WorkspaceEvents> = {
  "workspace.create": { audit: ({ workspace_id, name }) => ({ subject_id: workspace_id, details: { name } }) },
  "workspace.rename": {
    audit: ({ by, name, previous }) => ({ subject_id: by.tenant_id, details: { name, previous } }),
  },
  "workspace.delete": { audit: ({ workspace_id, name }) => ({ subject_id: workspace_id, details: { name } }) },
  "account.enter": { audit: ({ by }) => ({ subject_id: by.member_id, details: {} }) },
  "account.leave": { audit: ({ by, role }) => ({ subject_id: by.member_id, details: { role } }) },
};
