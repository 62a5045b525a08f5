import type { EventMeanings } from "../../event-meaning.ts";
import { inEach } from "../../languages.ts";
import type { DeviceEvents } from "./contract.ts";
import { DEVICE_WORDS } from "./words.ts";

/** What a sign-in on a new device means: the list of the bell shows it to whoever it is about. */
export const deviceMeanings: EventMeanings<DeviceEvents> = {
  "account.new_device": {
    audit: ({ by, program, system }) => ({ subject_id: by.member_id, details: { program, system } }),
    notice: ({ by, ...arrival }) => ({
      kind: "account.new_device",
      severity: "warning",
      words: inEach((language) => DEVICE_WORDS[language]({ ...arrival, ip: by.ip }).notice),
      link: "/profile",
      to: { member_id: by.member_id },
    }),
  },
};
