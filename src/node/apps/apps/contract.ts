import { type Static, t } from "elysia";
import { answersAs } from "../../../kernel/http/answers.ts";
import { defineErrors } from "../../../kernel/http/errors.ts";
import { type ApiOf, defineRoutes } from "../../../kernel/http/route.ts";
import { Nullable, NullableNumber, NullableText } from "../../../kernel/http/schema.ts";
import { upgradeWire } from "../../../shared/plans/index.ts";
import { admin, user } from "../../access.ts";
import { Question } from "../templates/index.ts";
import { Permission, PlanCheck, PlannedChange, PlannedInput, permissions } from "./plan/contract.ts";
import { AppUpdates, UpdateChoiceInput, UpdateInput } from "./update/contract.ts";

export { AppUpdates, PlanCheck, PlannedChange, UpdateChoiceInput, UpdateInput };

const closed = { additionalProperties: false };

export const APP_STATUSES = [
  "installing",
  "running",
  "stopped",
  "starting",
  "stopping",
  "updating",
  "rolling_back",
  "degraded",
  "error",
  "uninstalling",
] as const;
export const AppStatus = t.UnionEnum([...APP_STATUSES]);
export type AppStatus = (typeof APP_STATUSES)[number];

const appFields = {
  id: t.String(),
  name: t.String(),
  template: t.String(),
  display_name: t.String(),
  icon: t.String(),
  category: t.String(),
  version: t.String(),
  status: AppStatus,
  /** Why the app is degraded, in error, or stopped by somebody else. */
  cause: NullableText,
  next_step: NullableText,
  created_at: t.String(),
  /** When it first ran; null while it has not, so that an error is that of its install. */
  installed_at: NullableText,
  started_at: NullableText,
  /** Where its first page is, as seen from this server or its network. */
  url: NullableText,
  port: NullableNumber,
  /** The operation that works on it. */
  op_id: NullableText,
  /** A newer version that it can be updated to; null when none is known. */
  update: NullableText,
};
export const App = t.Object(appFields);
export type App = Static<typeof App>;

export const AppService = t.Object({
  name: t.String(),
  image: t.String(),
  container_id: NullableText,
  /** Docker's word: created, running, restarting, exited …, or missing. */
  state: t.String(),
  health: NullableText,
  restarts: t.Number(),
  exit_code: NullableNumber,
  oom_killed: t.Boolean(),
  started_at: NullableText,
});
export type AppService = Static<typeof AppService>;

/** A service that ended unasked. */
export const AppCrash = t.Object({
  service: t.String(),
  at: t.String(),
  exit_code: NullableNumber,
  /** It was killed for want of memory. */
  is_oom: t.Boolean(),
  cause: t.String(),
  /** What it wrote last, oldest first, without secrets; at most 50 lines and 16 KB. */
  lines: t.Array(t.String()),
});
export type AppCrash = Static<typeof AppCrash>;

export const AppPort = t.Object({
  service: t.String(),
  container: t.Number(),
  protocol: t.UnionEnum(["tcp", "udp"]),
  host: t.Number(),
  bind: t.String(),
  purpose: t.String(),
});
export type AppPort = Static<typeof AppPort>;

export const ServiceLimit = t.Object(
  {
    memory_mb: t.Optional(t.Number({ minimum: 6, maximum: 4_194_304 })),
    // Engines count in hundredths; what is less would be rounded to no limit at all.
    cpus: t.Optional(t.Number({ minimum: 0.01, maximum: 1024 })),
  },
  closed,
);

export const AppDetail = t.Object({
  ...appFields,
  services: t.Array(AppService),
  ports: t.Array(AppPort),
  volumes: t.Array(t.Object({ name: t.String(), role: t.String(), size_bytes: NullableNumber })),
  /** Answers, without those that are passwords. */
  inputs: t.Record(t.String(), t.String()),
  questions: t.Array(Question),
  /** `fixed` says why one cannot be renewed; null for those that can. */
  secrets: t.Array(t.Object({ key: t.String(), label: t.String(), fixed: NullableText })),
  limits: t.Record(t.String(), t.Object({ memory_mb: NullableNumber, cpus: NullableNumber })),
  first_run: Nullable(t.Object({ url: t.String(), show: t.Array(t.String()), note: t.String() })),
  /** What has to be confirmed before people start it again: others have come to be able to replace a path of it. */
  to_confirm: t.Array(Permission),
});
export type AppDetail = Static<typeof AppDetail>;

/**
 * Who may reach a port: this server only, or everybody on its network. No `UnionEnum`: of one that is left out, its first value
 * would be filled in, as if somebody had chosen it.
 */
export const Reach = t.Union([t.Literal("loopback"), t.Literal("lan")]);
export type Reach = "loopback" | "lan";

const InputValue = t.Union([t.String({ maxLength: 4096 }), t.Number(), t.Boolean()]);

const choices = {
  inputs: t.Optional(t.Record(t.String({ maxLength: 60 }), InputValue, { maxProperties: 100 })),
  /** Wanted host ports by "service:containerPort". */
  ports: t.Optional(
    t.Record(t.String({ maxLength: 60 }), t.Integer({ minimum: 1, maximum: 65_535 }), { maxProperties: 100 }),
  ),
  /** Who may reach all of its ports. */
  publish: t.Optional(Reach),
  /** Who may reach a port, by "service:containerPort"; comes before `publish`. */
  reach: t.Optional(t.Record(t.String({ maxLength: 60 }), Reach, { maxProperties: 100 })),
  limits: t.Optional(t.Record(t.String({ maxLength: 40 }), ServiceLimit, { maxProperties: 100 })),
};

export const AppConfig = t.Object({ ...choices, permissions }, closed);
export type AppConfig = Static<typeof AppConfig>;

/** What is to be different from now on; what is not named stays. A service named in `limits` with nothing gets the template's. */
export type ConfigChange = Omit<AppConfig, "permissions">;

const TemplateName = t.String({ minLength: 1, maxLength: 64 });
/** What is wrong with it is told as `invalid_name`, its length too. */
const AppName = t.String({ maxLength: 200 });

/** Id of an uninstalled app whose data is taken up again; null begins anew. Left out: that of the same name, if any is kept. */
const Restore = t.Optional(Nullable(t.String({ maxLength: 64 })));

export const InstallInput = t.Object(
  { template: TemplateName, name: AppName, config: t.Optional(AppConfig), restore: Restore },
  closed,
);
export type InstallInput = Static<typeof InstallInput>;

export const InstallResult = t.Object({
  id: t.String(),
  name: t.String(),
  template: t.String(),
  status: AppStatus,
  created_at: t.String(),
  op_id: t.String(),
});
export type InstallResult = Static<typeof InstallResult>;

export const PlanInput = t.Object(
  { template: TemplateName, name: t.Optional(AppName), config: t.Optional(AppConfig), restore: Restore },
  closed,
);
export type PlanInput = Static<typeof PlanInput>;

/** Data of an uninstalled app that is still kept. */
export const TrashedApp = t.Object({
  app_id: t.String(),
  name: t.String(),
  template: t.String(),
  display_name: t.String(),
  icon: t.String(),
  volumes: t.Array(t.String()),
  deleted_at: t.String(),
  purge_at: t.String(),
});
export type TrashedApp = Static<typeof TrashedApp>;

export const InstallPlan = t.Object({
  ok: t.Boolean(),
  name: t.String(),
  template: t.String(),
  display_name: t.String(),
  version: t.String(),
  checks: t.Array(PlanCheck),
  ports: t.Array(AppPort),
  permissions: t.Array(Permission),
  inputs: t.Array(PlannedInput),
  /** Who may reach its first page. */
  publish: Reach,
  /** Data of uninstalled apps of this template that could be taken up again, latest first. */
  kept: t.Array(TrashedApp),
  /** Whose data will be taken up again; null for none. */
  restore: NullableText,
  estimate_seconds: NullableNumber,
});
export type InstallPlan = Static<typeof InstallPlan>;

/** What a change would do. */
export const ConfigPlan = t.Object({
  ok: t.Boolean(),
  changes: t.Array(PlannedChange),
  /** Services that are stopped for a moment and made anew; none where the app does not run. */
  restarts: t.Array(t.String()),
  checks: t.Array(PlanCheck),
  ports: t.Array(AppPort),
  /** What has to be confirmed before it: it starts the app, and others can replace a path of it. */
  to_confirm: t.Array(Permission),
});
export type ConfigPlan = Static<typeof ConfigPlan>;

/** The work that brings a change about; null when nothing has to be restarted. */
export const ConfigChanged = t.Object({ op_id: NullableText, changes: t.Array(PlannedChange) });
export type ConfigChanged = Static<typeof ConfigChanged>;

export const AppParams = t.Object({ id: t.String({ maxLength: 64 }) });
export const SecretParams = t.Object({ id: t.String({ maxLength: 64 }), name: t.String({ maxLength: 60 }) });
export const UninstallQuery = t.Object({ delete_data: t.Optional(t.BooleanString()) });
export const OperationStarted = t.Object({ op_id: t.String() });
export type OperationStarted = Static<typeof OperationStarted>;

/** An empty body tries again as before; limits replace those of the services they name, permissions are those that are confirmed besides. */
export const RetryInput = t.Optional(
  t.Object({ limits: t.Optional(t.Record(t.String({ maxLength: 40 }), ServiceLimit)), permissions }, closed),
);
export type RetryInput = Static<typeof RetryInput>;

/** Nothing, or permissions that are confirmed besides. */
export const StartInput = t.Optional(t.Object({ permissions }, closed));
export type StartInput = Static<typeof StartInput>;

export const AppSecret = t.Object({ key: t.String(), label: t.String(), value: t.String() });
export type AppSecret = Static<typeof AppSecret>;

export const fail = defineErrors({
  app_not_found: [404, "There is no app {id}."],
  app_name_taken: [409, "The name {name} is taken. {suggestion} is free."],
  app_busy: [409, "{name} is {status} at the moment. Wait until that is over."],
  app_not_failed: [409, "{name} has not failed, so there is nothing to try again."],
  app_limit_reached: [
    402,
    "The {current_plan} plan allows {limit} apps. Uninstall one, or upgrade to {required_plan}.",
    ({ current_plan, required_plan }) => upgradeWire({ feature: "apps", current_plan, required_plan }),
  ],
  path_unconfirmed: [
    409,
    "Nothing was changed for {name}: {text} Take the folder from who may write to it, or confirm that.",
  ],
  app_dump_not_found: [404, "No dump {name} of {app} is kept. It goes seven days after the update."],
  app_data_not_found: [404, "No data of an uninstalled app {id} is kept."],
  app_port_taken: [409, "Port {port} is taken on this server. {advice}"],
  app_never_ran: [409, "{name} was never installed completely, so there is nothing to update. Install it again."],
  app_up_to_date: [409, "{name} is on {version}, and there is no such newer version. Look for updates again."],
  app_update_blocked: [409, "{name} cannot be updated now. {reason}"],
  app_no_way_back: [
    409,
    "No version before this one is kept of {name}: the way back stands open for 7 days after an update.",
  ],
  app_secret_not_found: [404, "{name} has no secret {key}."],
  app_secret_fixed: [409, "{label} of {name} cannot be renewed here. {reason}"],
  app_changed: [409, "Somebody else changed {name} in the meantime. Look at it again, then change it."],
  pulls_busy: [409, "{limit} images are being pulled or wait. Wait until one is here, or cancel one, then try again."],
  key_cannot_open_app: [
    403,
    "An API key cannot open an app to the network: it would stay open when the key has ended. Choose loopback, or sign in and do it there.",
  ],
  key_cannot_confirm: [
    403,
    "An API key cannot confirm a permission: an app that has it can do more on this server than the key. Sign in and do it there.",
  ],
});

/** What an app event tells. */
export interface AppEvent {
  app_id: string;
  name: string;
  template: string;
  status: AppStatus;
  /** Who asked for it; absent when nobody did. `purpose` is what it was part of, such as `a backup`. */
  by?: { user_id: string; ip: string; purpose?: string };
}

/** From which version to which, and for how long the app did not answer. */
type Moved = { from: string; to: string; down_ms: number | null };

export type AppEvents = {
  "app.installed": AppEvent;
  "app.started": AppEvent;
  "app.stopped": AppEvent;
  "app.crashed": AppEvent & {
    service: string;
    cause: string;
    next_step: string | null;
    /** How it ended; absent where nobody looked. What it wrote last stays with the app: events go to people who may not read logs. */
    end?: Pick<AppCrash, "at" | "exit_code" | "is_oom">;
  };
  /** A service came down, or was started again by Docker, and nobody asked for it; also when the app stays up. */
  "app.service_ended": {
    app_id: string;
    name: string;
    service: string;
    /** How often Docker has started it again since the last time this was told. */
    restarts: number;
    exit_code: number | null;
    is_oom: boolean;
  };
  "app.updated": AppEvent & Moved;
  /** Somebody went back to the version before. */
  "app.rolled_back": AppEvent & Moved;
  /** An update, or the way back from one, failed, and the app is again what it was. */
  "app.update_failed": AppEvent & Moved & { cause: string; next_step: string | null };
  /** Somebody fetched what a database wrote before an update. */
  "app.dump_downloaded": AppEvent & { dump: string };
  /** Somebody decided about a newer version, or took that back. */
  "app.update_chosen": AppEvent & { choice: "skip" | "tonight" | "none"; to: string; due_at: string | null };
  /** An update that was wished for the night did not begin. */
  "app.update_not_begun": AppEvent & { to: string; cause: string };
  /** An app did not work with renewed secrets and has the former ones again; `labels` is what people call them. */
  "app.secrets_restored": AppEvent & { labels: string[]; cause: string };
  "app.uninstalled": AppEvent;
  /** Work on an app, such as its install, ended badly. */
  "app.work_failed": AppEvent & { work: string; cause: string };
  "app.status_changed": { id: string; status: AppStatus; cause: string | null };
  "app.removed": { id: string };
  /** Somebody chose other settings; `changes` in words, without secrets. */
  "app.configured": AppEvent & { changes: string[] };
  /** Data that was kept of an uninstalled app is gone for good. */
  "app.data_deleted": { app_id: string; name: string; user_id: string; ip: string };
};

/** People only: what a key renews, whoever made the key can no longer read. */
const secretAction = { access: admin("apps", { keys: "never" }), params: SecretParams };
const appAction = { access: admin("apps"), params: AppParams };

export const appRoutes = defineRoutes({
  "GET /api/apps": { access: user("apps"), out: t.Array(App), ready: true },
  // Permissions are for people to confirm: with the Docker socket an app is the administrator of this server.
  "POST /api/apps": { access: admin("apps", { keys: "bounded" }), body: InstallInput, out: InstallResult },
  "POST /api/apps/plan": { access: admin("apps"), body: PlanInput, out: InstallPlan },
  "GET /api/apps/trash": { access: admin("apps"), out: t.Array(TrashedApp) },
  "DELETE /api/apps/trash/{id}": { ...appAction, out: t.Object({ message: t.String() }) },
  "GET /api/apps/{id}": { access: user("apps"), params: AppParams, out: AppDetail },
  "DELETE /api/apps/{id}": { ...appAction, query: UninstallQuery, out: OperationStarted },
  /** `permissions` of either are those that are confirmed besides. */
  "POST /api/apps/{id}/config/plan": { ...appAction, body: AppConfig, out: ConfigPlan },
  "PUT /api/apps/{id}/config": {
    ...appAction,
    access: admin("apps", { keys: "bounded" }),
    body: AppConfig,
    out: ConfigChanged,
  },
  "POST /api/apps/{id}/start": { ...appAction, body: StartInput, out: App },
  "POST /api/apps/{id}/stop": { ...appAction, out: App },
  "POST /api/apps/{id}/restart": { ...appAction, body: StartInput, out: App },
  "POST /api/apps/{id}/retry": { ...appAction, body: RetryInput, out: OperationStarted },
  "GET /api/apps/{id}/crashes": { ...appAction, out: t.Array(AppCrash) },
  "GET /api/apps/{id}/updates": { ...appAction, out: AppUpdates },
  "POST /api/apps/{id}/update": {
    access: admin("apps", { keys: "bounded" }),
    params: AppParams,
    body: UpdateInput,
    out: OperationStarted,
  },
  // People only: a key may have ended by the time it is done.
  "PUT /api/apps/{id}/updates/choice": {
    access: admin("apps", { keys: "never" }),
    params: AppParams,
    body: UpdateChoiceInput,
    out: AppUpdates,
  },
  /** What a database wrote before the latest update, compressed by gzip. */
  "GET /api/apps/{id}/updates/dumps/{name}": {
    access: admin("apps", { keys: "never" }),
    params: t.Object({ ...AppParams.properties, name: t.String({ maxLength: 200 }) }),
    ...answersAs("application/gzip"),
  },
  "DELETE /api/apps/{id}/updates/choice": { ...appAction, out: AppUpdates },
  "POST /api/apps/{id}/rollback": { ...appAction, body: StartInput, out: OperationStarted },
  "GET /api/apps/{id}/secrets": {
    access: admin("apps", { keys: "never" }),
    params: AppParams,
    out: t.Array(AppSecret),
  },
  "POST /api/apps/{id}/secrets/{name}/rotate": { ...secretAction, body: StartInput, out: ConfigChanged },
  "POST /api/apps/{id}/secrets/{name}/rotate/plan": { ...secretAction, out: ConfigPlan },
});
export type AppsApi = ApiOf<typeof appRoutes>;
