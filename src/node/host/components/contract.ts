import { type Static, t } from "elysia";
import { answersAs } from "../../../kernel/http/answers.ts";
import { defineErrors } from "../../../kernel/http/errors.ts";
import { type ApiOf, defineRoutes } from "../../../kernel/http/route.ts";
import { NullableText } from "../../../kernel/http/schema.ts";
import { admin, user } from "../../access.ts";

const ComponentPackage = t.Object({
  name: t.String(),
  /** Its version; null where it is not installed. */
  installed: NullableText,
  /** The version that the package sources offer; null where they offer none. */
  candidate: NullableText,
});

/** A part of a component that is turned on by itself: `tuning=zram`. */
const ComponentOption = t.Object({
  option: t.String(),
  title: t.String(),
  summary: t.String(),
  /** It is wanted. */
  enabled: t.Boolean(),
  status: t.UnionEnum(["installed", "disabled", "failed", "pending-apt"]),
  cause: NullableText,
  packages: t.Array(ComponentPackage),
});
export type ComponentOption = Static<typeof ComponentOption>;

export const Component = t.Object({
  id: t.String(),
  title: t.String(),
  summary: t.String(),
  /** Page of the dashboard that needs it. */
  ui: NullableText,
  requires: t.Array(t.String()),
  /** It is wanted; `status` says whether it is there. */
  enabled: t.Boolean(),
  status: t.UnionEnum(["installed", "disabled", "failed", "pending-apt"]),
  /** Why it failed or waits, and what to do; null while it is well. */
  cause: NullableText,
  next_step: NullableText,
  packages: t.Array(ComponentPackage),
  /** Parts that are turned on one by one; none where the component is one piece. */
  options: t.Array(ComponentOption),
  /** Options that its bare name turns on. */
  defaults: t.Array(t.String()),
  /** It can be removed from here. */
  removable: t.Boolean(),
});
export type Component = Static<typeof Component>;

/** What containers run in, and how it came onto this server. */
export const ContainerRuntime = t.Object({
  /** A package of the distribution, the snap store, something else such as Docker's own packages, or nothing. */
  mode: t.UnionEnum(["package", "snap", "other", "none"]),
  flavor: t.Union([t.Literal("docker"), t.Literal("podman"), t.Null()]),
  version: NullableText,
  too_old: t.Boolean(),
});
export type ContainerRuntime = Static<typeof ContainerRuntime>;

/** What the bringing over of objects goes through. */
export const MIGRATION_PHASES = [
  "pending",
  "waiting_space",
  "copying",
  "catching_up",
  "verifying",
  "switching",
  "failed",
  "done",
] as const;

/** How far the objects of the store that this server had before are brought into the one it has now. */
export const StoreMigration = t.Object({
  phase: t.UnionEnum([...MIGRATION_PHASES]),
  /** Objects that are here, of so many in all, and their bytes. */
  copied: t.Integer(),
  total: t.Integer(),
  bytes: t.Integer(),
  /** Why it waits or failed, and what to do. */
  error: t.Optional(t.String()),
  error_code: t.Optional(t.String()),
  error_params: t.Optional(t.Record(t.String(), t.Unknown())),
  /** What the data folder of the previous store takes on disk. */
  legacy_bytes: t.Optional(t.Integer()),
  /** That folder is gone. */
  purged: t.Optional(t.Boolean()),
  /** The Drive is off: it is not known which store holds its data. */
  drive_paused: t.Optional(t.Boolean()),
});
export type StoreMigration = Static<typeof StoreMigration>;

export const ComponentList = t.Object({
  components: t.Array(Component),
  container_runtime: ContainerRuntime,
  /** Which helpers run, as the system says. */
  tuning: t.Object({
    zram: t.Boolean(),
    earlyoom: t.Boolean(),
    irqbalance: t.Boolean(),
    cpupower: t.Boolean(),
    preload: t.Boolean(),
  }),
  /** Components are being changed. */
  busy: t.Boolean(),
  /** The operation that changes them; its events tell how far it is. */
  op_id: NullableText,
  /** False where the system has no package manager that is known here: nothing can be installed or removed then. */
  installs: t.Boolean(),
  /** When the system was asked last; null before the first answer. */
  checked_at: NullableText,
  /** Why the system could not be asked the last time; what is shown is from before. */
  check_problem: NullableText,
  /** Why the file with what is wanted cannot be read; only then. Every feature stays usable. */
  config_error: t.Optional(t.String()),
  /** Only where data of a previous object store is, or was brought over. */
  objstore: t.Optional(StoreMigration),
});
export type ComponentList = Static<typeof ComponentList>;

export const ApplyInput = t.Object(
  {
    /**
     * `smart,-vpn,tuning=zram`: what is turned on, what is removed, which options; `-tuning=zram` removes one. What is wrong with it is
     * told as `bad_spec`, its length too.
     */
    set: t.String({ maxLength: 65_536 }),
    /** Docker from the snap store may be replaced. */
    confirm_snap: t.Optional(t.Boolean()),
  },
  { additionalProperties: false },
);
export type ApplyInput = Static<typeof ApplyInput>;

export const fail = defineErrors({
  bad_spec: [400, 'The set has a mistake: "{word}" {reason}. {expected}'],
  confirm_snap_required: [
    400,
    "Docker on this server came from the snap store, with its containers and their data, which another Docker does not take along. It would be switched off, not removed: snap enable docker brings it back. Move what you need first, then confirm (confirm_snap).",
  ],
  component_not_installed: [
    404,
    "{title} is not installed on this server. Turn it on under Components.",
    ({ component }) => ({ error: "component_not_installed", component }),
  ],
  busy: [409, "Components are being changed already. Wait until that is over, then try again."],
  apt_in_use: [
    409,
    "Another program is installing or removing packages on this server just now. Wait until it is done, then try again.",
  ],
  component_failed: [500, "{reason} Read the log of the operation for the cause."],
});

export type ComponentEvents = {
  "component.apply_begun": { user_id: string; ip: string; op_id: string; set: string };
  "component.applied": { user_id: string; ip: string; op_id: string; title: string; on: string[]; off: string[] };
  "component.apply_failed": { user_id: string; ip: string; op_id: string; code: string; undone: boolean };
  /** Something about the components is another than before: what is shown of them may be old. */
  "components.changed": { busy: boolean };
};

export const componentRoutes = defineRoutes({
  "GET /api/components": { access: user("settings"), out: ComponentList },
  "POST /api/components/apply": { access: admin("settings"), body: ApplyInput, out: t.Object({ op_id: t.String() }) },
  "GET /api/components/ops/{id}/events": {
    access: admin("settings"),
    params: t.Object({ id: t.String() }),
    query: t.Object({ from: t.Optional(t.Integer({ minimum: 0 })) }),
    ...answersAs("text/event-stream"),
  },
});
export type ComponentsApi = ApiOf<typeof componentRoutes>;
