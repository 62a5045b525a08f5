import { type Static, t } from "elysia";
import { type ApiOf, defineRoutes } from "../../../kernel/http/route.ts";
import { Nullable } from "../../../kernel/http/schema.ts";
import { user } from "../../access.ts";
import { NodeMode } from "../../platform/identity/contract.ts";

const Accent = t.Union([
  t.Literal("nebula"),
  t.Literal("plasma"),
  t.Literal("ion"),
  t.Literal("quasar"),
  t.Literal("custom"),
]);
const Color = Nullable(t.String({ pattern: "^#[0-9a-fA-F]{6}$" }));
const Theme = t.Union([t.Literal("dark"), t.Literal("light")]);
const Motion = t.Union([t.Literal("calm"), t.Literal("cinematic"), t.Literal("max")]);

/** Which hero blocks of each space are shown; only what somebody changed. */
const Spaces = t.Record(t.String(), t.Record(t.String(), t.Boolean()));
export type Spaces = Static<typeof Spaces>;

export const Preferences = t.Object({
  accent: Accent,
  custom_accent: Color,
  theme: Theme,
  motion: Motion,
  sounds: t.Boolean(),
  mode: NodeMode,
  spaces: Spaces,
});
export type Preferences = Static<typeof Preferences>;

/** How many spaces, and blocks in each, one account can have changed; there are far fewer. */
export const MAX_CHANGED = 40;
const NAME = "^[a-z0-9][a-z0-9_-]{0,39}$";
const Limits = { maxProperties: MAX_CHANGED, additionalProperties: false };
const BlockChanges = t.Record(t.String({ pattern: NAME }), Nullable(t.Boolean()), Limits);
const SpaceChanges = t.Record(t.String({ pattern: NAME }), Nullable(BlockChanges), Limits);
export type SpaceChanges = Static<typeof SpaceChanges>;

/** Only what changes. Null gives a block, a space or all of them their default back. */
export const PreferencesChange = t.Object({
  accent: t.Optional(Accent),
  custom_accent: t.Optional(Color),
  theme: t.Optional(Theme),
  motion: t.Optional(Motion),
  sounds: t.Optional(t.Boolean()),
  mode: t.Optional(NodeMode),
  spaces: t.Optional(Nullable(SpaceChanges)),
});
export type PreferencesChange = Static<typeof PreferencesChange>;

export const LastSeenRelease = t.Object({ version: Nullable(t.String({ maxLength: 64 })) });
export type LastSeenRelease = Static<typeof LastSeenRelease>;

export const profileRoutes = defineRoutes({
  "GET /api/profile/preferences": { access: user(), out: Preferences },
  "PUT /api/profile/preferences": { access: user(), body: PreferencesChange, out: Preferences },
  /** The release whose tour the user saw last; null before the first. */
  "GET /api/profile/last-seen-release": { access: user(), out: LastSeenRelease },
  "PUT /api/profile/last-seen-release": { access: user(), body: LastSeenRelease, out: LastSeenRelease },
});
export type ProfileApi = ApiOf<typeof profileRoutes>;
