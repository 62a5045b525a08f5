import { randomBytes } from "node:crypto";
import { systemClock } from "../../../lib/clock.ts";
import type { Target, TargetPlace } from "./target.ts";

/** What writes to and reads from a place. A driver is loaded when a place needs it: most servers ever need one. */
export async function openPlace(place: TargetPlace): Promise<Target> {
  const makeName = () => randomBytes(12).toString("hex");
  switch (place.type) {
    case "local": {
      const { openLocalFolder } = await import("./local-folder.ts");
      return openLocalFolder(place.path);
    }
    case "s3": {
      const { openS3 } = await import("./s3.ts");
      return openS3(place, await httpClient(place.own_ports), systemClock);
    }
    case "node": {
      const { openOtherNode } = await import("./other-node.ts");
      return openOtherNode(place, await httpClient(place.own_ports));
    }
    case "sftp": {
      const { openSftp } = await import("./sftp.ts");
      return openSftp(place, makeName);
    }
    case "webdav": {
      const { openWebdav } = await import("./webdav.ts");
      return openWebdav(place, await httpClient(place.own_ports), makeName);
    }
  }
}

async function httpClient(ownPorts: readonly number[]) {
  const { createHttpClient } = await import("./http-client.ts");
  return createHttpClient(systemClock, ownPorts);
}
