import type { FunctionComponent } from "preact";
import { OwnFactorReset } from "./people/factor-resets/own-reset.tsx";
import { SignInsCard } from "./people/sign-ins/sign-ins-card.tsx";

/** What features put on the page about the safety of an account, above its factors, in this order. */
export const securityCards: FunctionComponent[] = [OwnFactorReset];

/** The same below them. */
export const lowerSecurityCards: FunctionComponent[] = [SignInsCard];
