import { type Static, t } from "elysia";
import { defineErrors } from "../../../kernel/http/errors.ts";
import { type ApiOf, defineRoutes } from "../../../kernel/http/route.ts";
import { Nullable } from "../../../kernel/http/schema.ts";
import { can, signedIn } from "../../access.ts";
import type { PanelEvent } from "../../event-meaning.ts";
import { LanguageCode } from "../../schemas.ts";
import { Mode } from "../tenants/contract.ts";

export const WorkspaceSettings = t.Object({
  require_2fa: t.Boolean(),
  record_terminal_sessions: t.Boolean(),
  /** Null follows the platform. */
  agent_auto_update: Nullable(t.Boolean()),
  /** What letters are written in to those who chose no language, and chats; null goes by the browser of each, and English in chats. */
  language: Nullable(LanguageCode),
});
export type WorkspaceSettings = Static<typeof WorkspaceSettings>;

/** What is chosen, what holds for whoever chose nothing, and what keeps choices from having an effect, in words. */
export const ShownSettings = t.Composite([
  WorkspaceSettings,
  t.Object({
    /** Rules that are on and have none. */
    without_effect: t.Array(t.String()),
    /** Rules that would have none. */
    hindered: t.Array(t.Object({ rule: t.String(), reason: t.String() })),
    platform: t.Object({ agent_auto_update: t.Boolean() }),
  }),
]);
export type ShownSettings = Static<typeof ShownSettings>;

/** What is left out stays as it is. */
export const WorkspaceSettingsChange = t.Partial(WorkspaceSettings);
export type WorkspaceSettingsChange = Static<typeof WorkspaceSettingsChange>;

export const ModeInput = t.Object({ mode: Mode });
export const ModeState = t.Object({ mode: Mode, chosen: t.Boolean() });
export type ModeState = Static<typeof ModeState>;

export const fail = defineErrors({
  owner_factor_needed: [
    409,
    "None of this workspace's owners has a second factor. One of them adds one first; then nobody is locked out without help.",
  ],
});

export type WorkspaceSettingsEvents = {
  "workspace.settings": PanelEvent & { change: WorkspaceSettingsChange };
  "workspace.mode": PanelEvent & { mode: Mode; previous: Mode };
};

export const workspaceSettingsRoutes = defineRoutes({
  "GET /api/v1/workspace/settings": { access: signedIn({ whileUnenrolled: true }), out: ShownSettings },
  "PUT /api/v1/workspace/settings": {
    access: can("settings:write", { ownRole: true }),
    body: WorkspaceSettingsChange,
    out: ShownSettings,
  },
  "GET /api/v1/workspace/mode": { access: signedIn(), out: ModeState },
  "PUT /api/v1/workspace/mode": { access: can("settings:write", { ownRole: true }), body: ModeInput, out: ModeState },
});
export type WorkspaceSettingsApi = ApiOf<typeof workspaceSettingsRoutes>;
