import { join } from "node:path";
import { readText } from "./proc-file.ts";

/** A field of what the firmware says of the machine, such as `sys_vendor`; empty where it says nothing. Anybody may read most. */
export const readFirmware = (root: string, field: string): string =>
  (readText(join(root, "sys/class/dmi/id", field)) ?? "").trim();
