/**
 * A node that brings objects over in a process of its own: `bun object-migration-child.ts FOLDER ROUND WHERE [TOLD]`. It kills itself at
 * the step WHERE, or at the step of that number; with none it goes through and says how it ended, also in the file TOLD.
 */
import { openSync, writeSync } from "node:fs";
import { minutes } from "../../src/lib/duration.ts";
import { openDriveNode } from "./drive-node.ts";

const [folder = "", round = "0", where = "none", told = "/dev/null"] = process.argv.slice(2);
const file = openSync(told, "w");
function tell(line: string): void {
  writeSync(file, `${line}\n`);
  writeSync(1, `${line}\n`);
}
let count = 0;
const node = openDriveNode(folder, Number(round), {
  checkpoint(_subject, step) {
    count += 1;
    tell(step);
    if (step === where || String(count) === where) process.kill(process.pid, "SIGKILL");
    // Its clock stands still, so that nobody would look for room again; the next start does.
    if (step === "waiting_space") process.exit(0);
  },
});
node.ctx.objectMigration.start?.();
await node.ctx.objectMigration.settled();
const { body } = await node.call("GET /api/objects/migration", { as: "admin" });
let ending = body.migration.purged === true ? "purged" : body.migration.phase;
if (ending === "done" && body.may.purge) {
  await node.clock.advance(minutes(6));
  const answer = await node.call("POST /api/components/objstore/purge-minio", { as: "admin" });
  ending = answer.status === 200 ? "purged" : answer.body.code;
}
tell(`ended ${ending} ${JSON.stringify(body.migration)}`);
process.exit(0);
