import { expect, test } from "bun:test";
import { join } from "node:path";
import { liesIn } from "./places.ts";

test("what lies in a folder is found out also for the root, for relative paths and for names that begin alike", () => {
  const within = [
    ["/var/lib/node", "/var/lib"],
    ["/var/lib/node", "/var/lib/node"],
    ["/var/lib/node", "/"],
    ["./.data", process.cwd()],
    ["/var/lib/..node", "/var/lib"],
  ] as const;
  for (const [path, folder] of within) expect([path, folder, liesIn(path, folder)]).toEqual([path, folder, true]);
  const outside = [
    ["/var/lib/node", "/var/lib/node/minio"],
    ["/var/lib/node-2", "/var/lib/node"],
    ["./.data", join(process.cwd(), "data")],
  ] as const;
  for (const [path, folder] of outside) expect([path, folder, liesIn(path, folder)]).toEqual([path, folder, false]);
});
