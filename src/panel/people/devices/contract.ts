import type { PanelEvent } from "../../event-meaning.ts";

/** What a user agent names: both as people know them, or empty. */
export interface Browser {
  program: string;
  system: string;
}

export type DeviceEvents = {
  /** Somebody signed in where the account did not before, at `at` (milliseconds). */
  "account.new_device": PanelEvent & Browser & { at: number };
};
