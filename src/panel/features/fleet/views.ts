import { Value } from "@sinclair/typebox/value";
import { parseJson } from "../../../lib/json.ts";
import type { Actor } from "../../actor.ts";
import { fail, SavedViews } from "./contract.ts";
import { findViews, saveViews } from "./store.ts";

/** The views that the caller keeps in this workspace. */
export async function listViews({ db, member_id }: Actor): Promise<SavedViews> {
  const text = await findViews(db, member_id);
  const stored = { views: text === null ? [] : parseJson(text) };
  return Value.Check(SavedViews, stored) ? stored : { views: [] };
}

/** Keeps these views in place of the ones before. Throws `view_names_clash`. */
export async function keepViews({ db, member_id }: Actor, { views }: SavedViews): Promise<SavedViews> {
  const names = views.map(({ name }) => name);
  const twice = names.find((name, index) => names.indexOf(name) !== index);
  if (twice !== undefined) throw fail("view_names_clash", { name: twice });
  await saveViews(db, member_id, JSON.stringify(views));
  return { views };
}
