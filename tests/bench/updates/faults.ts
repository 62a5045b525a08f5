import { testEnv } from "../../kit/env.ts";

/** What is wrong with a new version, or with the server while it is put in place. */
export interface Fault {
  name: string;
  /** The Compose file of the new version; `victim` is the image of the service that is hit. */
  change(text: string, victim: string): string;
  /** Seconds that the new version has to come up in; the usual ones unless told. */
  startS?: number;
  fillsDisk?: boolean;
  /** The node is killed once in each step, and the new version is good. */
  isKilled?: boolean;
}

/** Another program for the service that runs on this image, whatever the image itself would start. */
const command = (text: string, victim: string, script: string): string =>
  text.replace(
    `image: ${victim}\n`,
    () => `image: ${victim}\n    entrypoint: ${JSON.stringify(["sh", "-c", script])}\n    command: []\n`,
  );

/** The six faults. */
export const faults = (): readonly Fault[] => {
  const { images } = testEnv();
  return [
    {
      name: "bad digest",
      change: (text, victim) => text.replace(victim, victim.replace(/[0-9a-f]{64}$/, "0".repeat(64))),
    },
    {
      name: "never healthy",
      startS: 3,
      change: (text, victim) => command(text, victim, "trap 'exit 0' TERM; while :; do sleep 1; done"),
    },
    { name: "out of memory", startS: 10, change: (text, victim) => text.replace(victim, images.oom) },
    { name: "disk full", fillsDisk: true, change: (text, victim) => text.replace(victim, images.layers) },
    {
      name: "corrupting migration",
      startS: 6,
      change: (text, victim) =>
        command(text, victim, "find /data -type f | while read -r file; do echo broken > $$file; done; exit 3"),
    },
    {
      name: "killed in each step",
      isKilled: true,
      change: (text) => text.replace("GREETING: $", "GREETING: second-$"),
    },
  ];
};
