import { accountId } from "./account.ts";
import { readDatabase } from "./data-files.ts";
import { bad, type Finding, ok, type Patient } from "./finding.ts";
import { layoutOf } from "./program.ts";

/** The data folder belongs to the user of the service (or who runs this) and nobody else can look into it. */
export async function checkDataFolder({ host, spec, dataDir, isInstalled, isNamed }: Patient): Promise<Finding | null> {
  const title = "Data folder";
  const facts = host.stat(dataDir);
  if (!facts) {
    if (!isInstalled && !isNamed) return null;
    if (!isInstalled)
      return bad(
        "data",
        title,
        `${dataDir} is not there`,
        "Name the folder that the program was started with: --data DIR",
      );
    return bad(
      "data",
      title,
      `${dataDir} is missing`,
      "Put it back from a backup, or run install again for a new one.",
    );
  }
  if (facts.kind !== "directory")
    return bad("data", title, `${dataDir} is not a folder`, `Move it away and run install again.`);
  if (facts.mode & 0o077) return bad("data", title, `others can read ${dataDir}`, `chmod 700 ${dataDir}`);
  const owner = accountId(host, spec);
  const name = spec.account?.name ?? "root";
  if (isInstalled && owner === null)
    return bad(
      "data",
      title,
      `there is no user ${name}, who owns it`,
      `systemctl restart ${layoutOf(spec).accountUnit}`,
    );
  if (isInstalled && facts.uid !== owner)
    return bad("data", title, `${dataDir} belongs to user ${facts.uid}`, `chown -R ${name}:${name} ${dataDir}`);
  return ok("data", title, `${dataDir} is private`);
}

/** SQLite's own check over every database; safe while the service runs. */
export async function checkDatabases({ host, spec, dataDir }: Patient): Promise<Finding | null> {
  const title = "Databases";
  const found = spec.databases.filter((name) => host.stat(`${dataDir}/${name}`) !== null);
  if (found.length === 0) return null;
  for (const name of found) {
    const problem = quickCheck(host.real(`${dataDir}/${name}`));
    if (problem !== null) {
      const fix = `Stop the service and put ${name} back from ${dataDir}/snapshots or a backup.`;
      return bad("databases", title, `${name} is damaged: ${problem}`, fix);
    }
  }
  return ok("databases", title, `${found.join(" and ")} are sound`);
}

/** The first problem in a database file, or null. */
function quickCheck(path: string): string | null {
  try {
    const sql = "PRAGMA quick_check(1)";
    const result = readDatabase(
      path,
      (db) => db.query<{ quick_check: string }, []>(sql).get()?.quick_check ?? "no answer",
    );
    return result === "ok" ? null : result;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}
