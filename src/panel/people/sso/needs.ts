import type { BodyIntake } from "../../../kernel/http/body-intake.ts";
import type { PanelBase, PanelBus } from "../../base.ts";
import type { SystemDb } from "../../data/tenant-db.ts";
import type { Accounts } from "../accounts/index.ts";
import type { Devices } from "../devices/index.ts";
import type { Factors } from "../factors/index.ts";
import type { Registration } from "../registration/index.ts";
import type { Sessions } from "../sessions/index.ts";
import type { Tenants } from "../tenants/index.ts";
import type { Belief } from "./belief.ts";
import type { SsoEvents } from "./contract.ts";
import type { Flows } from "./flows.ts";
import type { Providers } from "./provider.ts";
import type { Refusals } from "./refusals.ts";
import type { Judge } from "./saml/judge.ts";
import type { KeyMaker } from "./saml/key-maker.ts";
import type { Strays } from "./strays.ts";
import type { Turns } from "./turns.ts";

/** What single sign-on needs. */
export interface Needs extends PanelBase {
  system: SystemDb;
  bus: PanelBus<SsoEvents>;
  tenants: Pick<
    Tenants,
    | "findAccount"
    | "findAccountById"
    | "findMembership"
    | "findPlan"
    | "insertAccount"
    | "insertMember"
    | "listMemberships"
    | "lockAccount"
    | "lockMembers"
    | "maySpareAddress"
    | "releaseAddress"
    | "updateEmailVerified"
  >;
  sessions: Pick<Sessions, "endWorkspaceSignIns" | "loginBody" | "startWorkspaceSignIn">;
  accounts: Pick<Accounts, "proveByPassword" | "proveBySession" | "stillHolds">;
  devices: Pick<Devices, "arrive">;
  factors: Pick<Factors, "requireFreshProof">;
  registration: Pick<Registration, "mode">;
}

/** With what single sign-on keeps itself. */
export interface Own extends Needs {
  flows: Flows;
  providers: Providers;
  refusals: Refusals;
  /** Bounds what answers of providers hold while they come in. */
  answers: BodyIntake;
  judge: Judge;
  keys: KeyMaker;
  /** Of answers by either protocol. */
  belief: Belief;
  strays: Strays;
  /** At providers of OpenID Connect. */
  turns: Turns;
}
