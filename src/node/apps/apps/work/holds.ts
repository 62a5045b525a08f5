import { AppError } from "../../../../kernel/http/errors.ts";
import type { Own } from "../needs.ts";
import type { AppRow } from "../store.ts";

/** Why an app must not run now, and what to do; null where nothing is in the way. */
export const findHold = ({ lists }: Pick<Own, "lists">, id: string): string | null =>
  lists.holds.all().reduce<string | null>((found, find) => found ?? find(id), null);

/** Throws `app_busy` with the reason where an app must not run now. */
export function assertMayRun(own: Pick<Own, "lists">, { id, name, status }: AppRow): void {
  const reason = findHold(own, id);
  if (reason !== null) throw new AppError("app_busy", [409, "{reason}"], { name, status, reason });
}
