import type { EventMeanings } from "../../event-meaning.ts";
import type { SignInEvents } from "./contract.ts";

/** What the end of sign-ins means. */
export const signInMeanings: EventMeanings<SignInEvents> = {
  "account.sign_ins_ended": { audit: ({ by, count }) => ({ subject_id: by.member_id, details: { count } }) },
};
