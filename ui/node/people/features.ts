import type { Feature } from "../../shell/feature.ts";
import { approvalsFeature } from "./approvals/feature.ts";
import { authFeature } from "./auth/feature.ts";
import { lockFeature } from "./lock/feature.ts";
import { profileFeature } from "./profile/feature.ts";
import { qrFeature } from "./qr/feature.ts";
import { sessionsFeature } from "./sessions/feature.ts";
import { usersFeature } from "./users/feature.ts";

/** What the features of this area add to the page. */
export const peopleFeatures: Feature[] = [
  approvalsFeature,
  authFeature,
  lockFeature,
  profileFeature,
  qrFeature,
  sessionsFeature,
  usersFeature,
];
