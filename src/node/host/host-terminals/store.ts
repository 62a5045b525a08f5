import type { Store } from "../../../kernel/db/store.ts";
import type { HostTerminalMode } from "./contract.ts";

interface Chosen {
  mode: HostTerminalMode;
  user_name: string;
}

/** What was chosen; null while nobody did. */
export const findChosen = (db: Store): Chosen | null =>
  db.raw.query<Chosen, []>("SELECT mode, user_name FROM host_terminal WHERE id = 1").get();

export function saveChosen(db: Store, { mode, user_name }: Chosen): void {
  db.raw
    .query(
      `INSERT INTO host_terminal (id, mode, user_name) VALUES (1, ?, ?)
       ON CONFLICT (id) DO UPDATE SET mode = excluded.mode, user_name = excluded.user_name`,
    )
    .run(mode, user_name);
}
