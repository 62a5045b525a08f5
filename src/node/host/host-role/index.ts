/** The host role: the one way to what needs the open host, such as packages and units of systemd, by fixed verbs. */
import { defineFeature, type Part } from "../../../kernel/feature.ts";
import type { Needs } from "./needs.ts";
import { type HostRole, hostFail } from "./verbs.ts";

export type { AskOptions, HostPackage, HostRole, HostUnit, HostVerb, VerbInput, VerbOutput } from "./verbs.ts";
export { HOST_PACKAGES, HOST_UNITS } from "./verbs.ts";

export const hostRoleFeature = defineFeature({ name: "host-role", errors: hostFail.table });

/** The host role as others ask it. */
export interface HostRolePart extends Part, HostRole {}

export function createHostRole(_needs: Needs): HostRolePart {
  return {
    feature: hostRoleFeature,
    ask: async () => {
      throw hostFail("host_role_unavailable", { reason: "it is not there yet", next_step: "" });
    },
  };
}
