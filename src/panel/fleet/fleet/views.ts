import { Value } from "@sinclair/typebox/value";
import { parseJson } from "../../../lib/json.ts";
import type { Actor } from "../../actor.ts";
import { fail } from "./contract.ts";
import { findViews, saveViews, type ViewsRow } from "./store.ts";
import { SavedViews, type SavedViewsInput } from "./views-contract.ts";

/** The views and columns that the caller keeps in this workspace. */
export async function listViews({ db, member_id }: Actor): Promise<SavedViews> {
  return present(await findViews(db, member_id));
}

/** What cannot be read any more counts as never kept. */
function present(row: ViewsRow | null): SavedViews {
  const stored = {
    views: row === null ? [] : parseJson(row.views),
    columns: row === null || row.shown_columns === null ? null : parseJson(row.shown_columns),
  };
  return Value.Check(SavedViews, stored) ? stored : { views: [], columns: null };
}

/** Keeps these views in place of the ones before. Throws `view_names_clash`. */
export function keepViews({ db, member_id }: Actor, { views, columns }: SavedViewsInput): Promise<SavedViews> {
  const names = views.map(({ name }) => name);
  const twice = names.find((name, index) => names.indexOf(name) !== index);
  if (twice !== undefined) throw fail("view_names_clash", { name: twice });
  return db.tx(async (tx) => {
    const next = { views, columns: columns === undefined ? present(await findViews(tx, member_id)).columns : columns };
    await saveViews(tx, member_id, {
      views: JSON.stringify(next.views),
      shown_columns: next.columns && JSON.stringify(next.columns),
    });
    return next;
  });
}
