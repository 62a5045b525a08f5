import type { Limiter } from "../../../kernel/http/limit.ts";
import type { Outgoing } from "../../../kernel/outgoing/index.ts";
import type { ExpiringMap } from "../../../lib/expiring-map.ts";
import type { Role } from "../../access.ts";
import type { NodeBase } from "../../base.ts";
import type { SignIn } from "../../people/sign-ins/index.ts";
import type { User } from "../../people/users/index.ts";
import type { PanelLink } from "../panel-link/index.ts";

/** Who did it, and from where. */
interface By {
  actor_id: string;
  ip: string;
}

/** The accounts of this node, as far as visitors from the panel need them. */
interface Users {
  find(id: string): { role: Role; disabled_at: string | null } | null;
  findCredentials(username: string): object | null;
  countActiveAdmins(): number;
  /** `also` runs in the transaction that writes the account. */
  create(
    account: { username: string; password: string; role: Role; isTemporary: boolean },
    options: { also(user: User): void },
  ): Promise<User>;
  change(by: By, id: string, change: { role: Role }): void;
  tellCreated(by: By, user: User): void;
}

/** What sign-ins from the panel need. */
export interface Needs extends NodeBase {
  panelLink: Pick<PanelLink, "state" | "aheadMs" | "signInUrls">;
  users: Users;
  signIns: { finish(userId: string, origin: { ip: string; device: string }, method: "panel"): SignIn };
}

/** A sign-in that somebody has begun and not come back from. */
export interface Begun {
  verifier: string;
  redirectUri: string;
  next: string;
}

/** That, and what the feature keeps for itself. */
export interface Own extends Needs {
  /** HTTP to the panel. */
  panelHttp: Outgoing;
  begun: ExpiringMap<Begun>;
  /** Tries by address. */
  attempts: Limiter;
  /** Lets newcomers in one after the other: two windows of one person are one person. */
  turn<T>(task: () => Promise<T>): Promise<T>;
}
