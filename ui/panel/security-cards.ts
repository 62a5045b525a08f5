import type { FunctionComponent } from "preact";
import { OwnFactorReset } from "./people/factor-resets/own-reset.tsx";

/** What features put on the page about the safety of an account, above its factors, in this order. */
export const securityCards: FunctionComponent[] = [OwnFactorReset];
