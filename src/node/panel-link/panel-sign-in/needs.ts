import type { Limiter } from "../../../kernel/http/limit.ts";
import type { SharedMap } from "../../../lib/shared-map.ts";
import type { PanelIdentity } from "../../../shared/panel-identity/index.ts";
import type { NodeBase } from "../../base.ts";
import type { Sessions } from "../../people/sessions/index.ts";
import type { SignIns } from "../../people/sign-ins/index.ts";
import type { Users } from "../../people/users/index.ts";
import type { PanelLink } from "../panel-link/index.ts";

/** What sign-ins from the panel need. */
export interface Needs extends NodeBase {
  panelLink: Pick<PanelLink, "state" | "membership" | "holds" | "aheadMs" | "signInUrls" | "ask" | "tellVisit">;
  users: Pick<Users, "find" | "findCredentials" | "countActiveAdmins" | "create" | "change" | "tellCreated">;
  signIns: Pick<SignIns, "finish">;
  sessions: Pick<Sessions, "find" | "cut"> & { tokens: Pick<Sessions["tokens"], "sessionOf"> };
}

/** Somebody whom a panel has told us of. */
export interface Visitor extends PanelIdentity {
  /** Of the panel that told. */
  membership: string;
  /** The link by which it told: what it said is worth nothing once the node has left it, even if it has come back by then. */
  revision: string;
}

/** Them, while the person signed in here is asked. */
export interface Arrival {
  identity: Visitor;
  /** Where they go then. */
  next: string;
}

/** A sign-in that somebody has begun and not come back from. */
export interface Begun {
  /** The link by which it began, and by which alone it ends. */
  revision: string;
  verifier: string;
  redirectUri: string;
  next: string;
}

/** That, and what the feature keeps for itself. */
export interface Own extends Needs {
  begun: SharedMap<Begun>;
  /** Arrivals that wait for a press of the button, by what the button sends. */
  arrivals: SharedMap<Arrival>;
  /** Tries by address. */
  attempts: Limiter;
  /** Lets newcomers in one after the other: two windows of one person are one person. */
  turn<T>(task: () => Promise<T>): Promise<T>;
}
