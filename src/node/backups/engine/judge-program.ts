/** The program of the process in which databases are opened that anybody may have written, to see whether they are whole. */
import { Database } from "bun:sqlite";
import { limitMemory, limitProcessor } from "../../../kernel/host/own-limits.ts";
import { answerAsProcess } from "../../../kernel/host/own-process.ts";
import { stepAside } from "../../../kernel/host/step-aside.ts";
import type { Judged, Opened, Urgency } from "./judge.ts";

/** Besides what it takes to run at all: SQLite needs some megabytes, and as much again as the largest value that is in an index. */
const MEMORY = 128 * 1024 * 1024;
/** Characters of what is wrong: it repeats names out of the file, of any length. */
const MOST_WORDS = 200;
/** SQLite cannot judge what needs a module or an order of letters that only its app has. */
const NOT_OURS = /no such (module|collation|function|tokenizer)|unsafe use of/i;
/** What its errors say of this machine, or of what a value was reckoned to, and not of the file. */
const UNJUDGED = [
  { codes: /^SQLITE_(NOMEM|TOOBIG)/, unjudged: "memory" },
  { codes: /^SQLITE_(FULL|IOERR|CANTOPEN|READONLY)/, unjudged: "disk" },
] as const;

/** The first thing that is wrong with a database; what was on its way into it is carried out first. Throws what SQLite throws. */
function findDamage(path: string): string | null {
  const db = new Database(path, { readwrite: true, create: false });
  try {
    // Of what somebody wrote into it, SQLite reckons what indexes need alone: what a column may hold says nothing of the file.
    db.run("PRAGMA trusted_schema = OFF");
    db.run("PRAGMA ignore_check_constraints = ON");
    const said = db.query<{ integrity_check: string }, []>("PRAGMA integrity_check(1)").get();
    return said?.integrity_check === "ok" ? null : (said?.integrity_check ?? "no answer");
  } finally {
    db.close();
  }
}

function judge(path: string): Judged {
  try {
    return { damage: findDamage(path)?.slice(0, MOST_WORDS) ?? null };
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    const { code } = Object.assign({ code: "" }, error);
    const other = UNJUDGED.find(({ codes }) => codes.test(code));
    if (other) return { unjudged: other.unjudged };
    return { damage: NOT_OURS.test(message) ? null : message.slice(0, MOST_WORDS) };
  }
}

limitMemory(MEMORY);
await answerAsProcess(({ path, seconds, urgency }: Opened & { urgency: Urgency }): Judged & { seconds: number } => {
  if (urgency === "aside") stepAside();
  limitProcessor(seconds);
  const { user, system } = process.cpuUsage();
  const judged = judge(path);
  const used = process.cpuUsage({ user, system });
  return { ...judged, seconds: (used.user + used.system) / 1e6 };
});
