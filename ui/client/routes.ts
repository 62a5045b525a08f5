import type { AppsApi } from "../../src/node/features/apps/contract.ts";
import type { AuthApi } from "../../src/node/features/auth/contract.ts";
import type { LockInfoApi } from "../../src/node/features/lock-info/contract.ts";
import type { OperationApi } from "../../src/node/features/operations/contract.ts";
import type { ProfileApi } from "../../src/node/features/profile/contract.ts";
import type { RuntimeApi } from "../../src/node/features/runtime/contract.ts";
import type { SessionApi } from "../../src/node/features/sessions/contract.ts";
import type { SettingsApi } from "../../src/node/features/settings/contract.ts";
import type { SetupApi } from "../../src/node/features/setup/contract.ts";
import type { SystemApi } from "../../src/node/features/system/contract.ts";
import type { TemplatesApi } from "../../src/node/features/templates/contract.ts";
import type { UserApi } from "../../src/node/features/users/contract.ts";
import type { AppStats, LoginReply, LogLine } from "./types.ts";

/** Calls whose answer has more forms than their contract's schema says. */
interface OwnRoutes {
  "POST /api/auth/login": { in: { username: string; password: string }; out: LoginReply };
  "POST /api/auth/totp/verify": { in: { temp_token: string; code: string }; out: LoginReply };
  "GET /api/apps/{id}/logs": { out: { lines: LogLine[] } };
  "GET /api/apps/{id}/stats": { out: AppStats };
}

type ContractRoutes = AppsApi &
  AuthApi &
  LockInfoApi &
  OperationApi &
  ProfileApi &
  RuntimeApi &
  SessionApi &
  SettingsApi &
  SetupApi &
  SystemApi &
  TemplatesApi &
  UserApi;

/** Each call the dashboard makes: what goes in as JSON (`in`), what comes back (`out`). */
export type Routes = OwnRoutes & Omit<ContractRoutes, keyof OwnRoutes>;

/** A method and path of the API, exactly as the specification writes it. */
export type Route = keyof Routes;

/** The JSON body that a route takes; `undefined` when it takes none. */
export type In<R extends Route> = Routes[R] extends { in: infer B } ? B : undefined;

/** The JSON that a route answers. */
export type Out<R extends Route> = Routes[R]["out"];
