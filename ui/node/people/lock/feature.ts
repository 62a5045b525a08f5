import type { Feature } from "../../../shell/feature.ts";
import { lockSession } from "../../client/session.ts";
import { startIdleLock } from "./idle-lock.ts";

const lock = (): void => void lockSession();

/** Locking this browser's session, by hand or when nobody sits there. */
export const lockFeature: Feature = {
  commands: {
    order: 250,
    use: () => [
      {
        id: "lock",
        title: "Lock",
        group: "Account",
        icon: "lock",
        keys: "Shift L",
        words: "away leave screen",
        run: lock,
      },
    ],
  },
  keys: [{ press: "L", shown: ["Shift", "L"], what: "Lock", run: lock }],
  account: { order: 30, title: "Lock", icon: "lock", to: lock },
  duty: startIdleLock,
};
