import type { SystemDb } from "../../data/tenant-db.ts";
import type { RegistrationMode } from "./contract.ts";

/** What the operator chose; null when nothing. */
export async function findMode(db: SystemDb): Promise<RegistrationMode | null> {
  return (await db.get<{ mode: RegistrationMode }>("SELECT mode FROM registration"))?.mode ?? null;
}

/** Null takes the choice back. */
export async function saveMode(db: SystemDb, mode: RegistrationMode | null): Promise<void> {
  if (mode === null) await db.run("DELETE FROM registration");
  else
    await db.run("INSERT INTO registration (one, mode) VALUES (1, ?) ON CONFLICT (one) DO UPDATE SET mode = ?", [
      mode,
      mode,
    ]);
}
