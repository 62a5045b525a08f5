import type { EventMeanings } from "../../event-meaning.ts";
import { inEach } from "../../languages.ts";
import type { RolloutEvents } from "./contract.ts";
import { sayStopped } from "./words.ts";

const decided = ({ rollout_id, name, reason }: { rollout_id: string; name: string; reason: string | null }) => ({
  subject_id: rollout_id,
  details: { name, reason },
});

/** What rollouts mean. */
export const rolloutMeanings: EventMeanings<RolloutEvents> = {
  "fleet.rollout.create": {
    audit: ({ rollout_id, name, kind, target_version, nodes }) => ({
      subject_id: rollout_id,
      details: { name, kind, target_version, nodes },
    }),
  },
  "fleet.rollout.promote": { audit: decided },
  "fleet.rollout.pause": { audit: decided },
  "fleet.rollout.resume": { audit: decided },
  "fleet.rollout.rollback": { audit: decided },
  "fleet.rollout.state": {
    audit: ({ rollout_id, name, state, text }) => ({ subject_id: rollout_id, details: { name, state, text } }),
  },
  "fleet.rollout.unstop": {
    incident: ({ rollout_id }) => ({ is: "over", rule: "rollout_stopped", subject: rollout_id }),
  },
  "fleet.rollout.stop": {
    incident: ({ rollout_id, name, text }) => ({
      ...{ is: "open", rule: "rollout_stopped", subject: rollout_id, severity: "critical" },
      ...{ title: `The rollout ${name} has paused by itself`, text, link: `/rollouts/${rollout_id}` },
    }),
    notice: ({ rollout_id, name, reason }) => ({
      kind: "canary.paused",
      severity: "critical",
      words: inEach((language) => sayStopped(language, name, reason)),
      link: `/rollouts/${rollout_id}`,
      to: { permission: "fleet:read" },
    }),
  },
};
