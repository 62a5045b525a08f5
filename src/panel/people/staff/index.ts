/** The console of the panel's own staff, and the permission of a workspace that lets them in. */
import { defineFeature, type Part } from "../../../kernel/feature.ts";
import { seconds } from "../../../lib/duration.ts";
import { fail } from "./contract.ts";
import { staffMeanings } from "./events.ts";
import init from "./migrations/0001_staff.sql" with { type: "text" };
import type { Needs } from "./needs.ts";
import { endAllPermits, endDue, endForOwner } from "./permits.ts";
import { bindStaffRoutes } from "./routes.ts";
import { countOpenPermits, countStaff } from "./store.ts";

export const staffFeature = defineFeature({
  name: "staff",
  migrations: [init],
  errors: fail.table,
  events: staffMeanings,
});

export function createStaff(needs: Needs): Part {
  needs.lists.admissions.add({
    words: ["permit for the staff", "permits for the staff"],
    asked: null,
    count: countOpenPermits,
    end: (tx) => endAllPermits(needs, tx),
  });
  needs.lists.admissions.add({
    words: ["account of the staff", "accounts of the staff"],
    asked: null,
    count: countStaff,
    end: null,
  });
  needs.lists.grants.add((tx, ousted) => endForOwner(needs, tx, ousted));
  return {
    feature: staffFeature,
    routes: [bindStaffRoutes(needs)],
    jobs: [{ name: "staff.permits", everyMs: seconds(10), run: () => endDue(needs) }],
  };
}
