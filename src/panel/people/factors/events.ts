import type { EventMeanings, PanelEvent } from "../../event-meaning.ts";
import type { FactorEvents } from "./contract.ts";

const ofThemselves = <Event extends PanelEvent>(details: (event: Event) => Record<string, unknown>) => ({
  audit: (event: Event) => ({ subject_id: event.by.member_id, details: details(event) }),
});

/** What the events of second factors mean. */
export const factorMeanings: EventMeanings<FactorEvents> = {
  "account.factor_add": ofThemselves(({ factor, name }) => ({ kind: factor, factor: name })),
  "account.factor_remove": ofThemselves(({ factor, name }) => ({ kind: factor, factor: name })),
  "account.factor_reset": { audit: ({ member_id }) => ({ subject_id: member_id, details: {} }) },
  "account.claim": { audit: ({ member_id, left }) => ({ subject_id: member_id, details: { left } }) },
  "account.recovery_codes": ofThemselves(() => ({})),
  "account.factor_sign_in": ofThemselves(({ method }) => ({ method })),
  "account.factor_failed": { audit: ({ member_id, method }) => ({ subject_id: member_id, details: { method } }) },
  "account.key_copied": { audit: ({ member_id, name }) => ({ subject_id: member_id, details: { name } }) },
};
