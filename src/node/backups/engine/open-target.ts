import { randomBytes } from "node:crypto";
import { systemClock } from "../../../lib/clock.ts";
import type { Pace } from "./pace.ts";
import type { Target, TargetPlace } from "./target.ts";

/**
 * What writes to and reads from a place. What does not answer is asked again for a while, but `once` where somebody waits to hear
 * just that. `aside` a folder of this machine is read and written on the calling thread. What it holds travels as fast as `pace` lets it. A driver is loaded when a place needs it: most servers ever need one.
 */
export async function openPlace(
  place: TargetPlace,
  patience: "once" | "patient" = "patient",
  pace: Pace | null = null,
  urgency: "now" | "aside" = "now",
): Promise<Target> {
  const makeName = () => randomBytes(12).toString("hex");
  switch (place.type) {
    case "local": {
      const [{ openLocalFolder }, { callsHere, callsOfPool }] = await Promise.all([
        import("./local-folder.ts"),
        import("./disk-calls.ts"),
      ]);
      return openLocalFolder(place.path, pace, urgency === "aside" ? callsHere : callsOfPool);
    }
    case "s3": {
      const { openS3 } = await import("./s3.ts");
      return openS3(place, await httpClient(place.own_ports, patience, pace), systemClock);
    }
    case "node": {
      const { openOtherNode } = await import("./other-node.ts");
      return openOtherNode(place, await httpClient(place.own_ports, patience, pace));
    }
    case "sftp": {
      const { openSftp } = await import("./sftp.ts");
      return openSftp(place, makeName, pace);
    }
    case "webdav": {
      const { openWebdav } = await import("./webdav.ts");
      return openWebdav(place, await httpClient(place.own_ports, patience, pace), makeName);
    }
  }
}

async function httpClient(ownPorts: readonly number[], patience: "once" | "patient", pace: Pace | null) {
  const { createHttpClient } = await import("./http-client.ts");
  return createHttpClient(systemClock, ownPorts, patience === "once" ? [] : undefined, pace);
}
