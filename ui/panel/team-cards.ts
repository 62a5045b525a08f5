import type { FunctionComponent } from "preact";
import type { TeamMember } from "./client/types.ts";
import { ResetFactors } from "./people/factor-resets/reset-factors.tsx";
import { FactorResets } from "./people/factor-resets/resets-card.tsx";
import { Invitations } from "./people/invitations/invitations-card.tsx";

/** What features put on the page of the team, below the list, in this order. */
export const teamCards: FunctionComponent[] = [FactorResets, Invitations];

/** What features let people do with a member of the list, in this order. */
export const memberActions: FunctionComponent<{ member: TeamMember }>[] = [ResetFactors];
