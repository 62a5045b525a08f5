import { randomBytes } from "node:crypto";
import { systemClock } from "../../../lib/clock.ts";
import { createHttpClient } from "./http-client.ts";
import { openLocalFolder } from "./local-folder.ts";
import { openOtherNode } from "./other-node.ts";
import { openS3 } from "./s3.ts";
import { openSftp } from "./sftp.ts";
import type { Target, TargetPlace } from "./target.ts";
import { openWebdav } from "./webdav.ts";

/** What writes to and reads from a place. */
export function openPlace(place: TargetPlace): Target {
  switch (place.type) {
    case "local":
      return openLocalFolder(place.path);
    case "s3":
      return openS3(place, createHttpClient(systemClock, place.own_ports), systemClock);
    case "node":
      return openOtherNode(place, createHttpClient(systemClock, place.own_ports));
    case "sftp":
      return openSftp(place, () => randomBytes(12).toString("hex"));
    case "webdav":
      return openWebdav(place, createHttpClient(systemClock, place.own_ports), () => randomBytes(12).toString("hex"));
  }
}
