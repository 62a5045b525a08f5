import type {
  App,
  AppDetail,
  AppSecret,
  AppStats,
  Category,
  CurrentMetrics,
  Filesystem,
  InstallConfig,
  LiveSample,
  LockInfo,
  LoginReply,
  LogLine,
  NodeSetupReply,
  Operation,
  Overview,
  Plan,
  Role,
  Runtime,
  Session,
  Template,
  TemplateDetail,
  User,
} from "./types.ts";

/** Each call the dashboard makes: what goes in as JSON (`in`), what comes back (`out`). */
export interface Routes {
  "GET /api/auth/lock-info": { out: LockInfo };
  "POST /api/auth/setup": { in: { username: string; password: string; claim_token?: string }; out: { user: User } };
  "POST /api/auth/login": { in: { username: string; password: string }; out: LoginReply };
  "POST /api/auth/totp/verify": { in: { temp_token: string; code: string }; out: LoginReply };
  "POST /api/auth/refresh": { out: LoginReply };
  "POST /api/auth/logout": { out: unknown };
  "GET /api/auth/me": { out: User };
  "POST /api/auth/change-password": { in: { current_password: string; new_password: string }; out: unknown };
  "GET /api/auth/sessions": { out: Session[] };
  "DELETE /api/auth/sessions/{id}": { out: unknown };
  "GET /api/users": { out: User[] };
  "POST /api/users": { in: { username: string; password: string; role: Role }; out: User };
  "PATCH /api/users/{id}": { in: { role?: Role; disabled?: boolean }; out: User };
  "GET /api/templates": { out: Template[] };
  "GET /api/templates/categories": { out: Category[] };
  "GET /api/templates/featured": { out: Template };
  "GET /api/templates/{name}": { out: TemplateDetail };
  "POST /api/apps/plan": { in: { template: string; name?: string; config?: InstallConfig }; out: Plan };
  "POST /api/apps": {
    in: { template: string; name: string; config: InstallConfig };
    out: { id: string; name: string; op_id: string };
  };
  "GET /api/apps": { out: App[] };
  "GET /api/apps/{id}": { out: AppDetail };
  "POST /api/apps/{id}/start": { out: App };
  "POST /api/apps/{id}/stop": { out: App };
  "POST /api/apps/{id}/restart": { out: App };
  "POST /api/apps/{id}/retry": { out: { op_id: string } };
  "DELETE /api/apps/{id}": { out: { op_id: string } };
  "GET /api/apps/{id}/secrets": { out: AppSecret[] };
  "GET /api/apps/{id}/logs": { out: { lines: LogLine[] } };
  "GET /api/apps/{id}/stats": { out: AppStats };
  "GET /api/operations": { out: Operation[] };
  "GET /api/operations/{id}": { out: Operation };
  "GET /api/system/runtime": { out: Runtime };
  "GET /api/system/overview": { out: Overview };
  "GET /api/system/metrics/current": { out: CurrentMetrics };
  "GET /api/system/metrics/live": { out: LiveSample };
  "GET /api/system/disks": { out: Filesystem[] };
  "POST /api/setup/node": { in: { name: string; mode: string; starter_apps: string[] }; out: NodeSetupReply };
}

/** A method and path of the API, exactly as the specification writes it. */
export type Route = keyof Routes;

/** The JSON body that a route takes; `undefined` when it takes none. */
export type In<R extends Route> = Routes[R] extends { in: infer B } ? B : undefined;

/** The JSON that a route answers. */
export type Out<R extends Route> = Routes[R]["out"];
