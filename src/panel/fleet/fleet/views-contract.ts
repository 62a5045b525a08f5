/** Lists of nodes that a member keeps, and the columns they want to see. */
import { type Static, t } from "elysia";
import { LineText, NameText, Nullable } from "../../../kernel/http/schema.ts";

export const VIEWS_MAX = 50;

/** A list that a member keeps: a name, and the query that gives it. */
export const SavedView = t.Object({
  name: NameText(60),
  /** As after `?` in the address of the list. */
  query: LineText(2_000),
});
export type SavedView = Static<typeof SavedView>;

/** Columns of the list of nodes that can be shown or not. */
export const ColumnName = t.Union([
  t.Literal("status"),
  t.Literal("region"),
  t.Literal("client"),
  t.Literal("version"),
  t.Literal("ip"),
  t.Literal("tags"),
  t.Literal("cpu"),
  t.Literal("mem"),
  t.Literal("disk"),
  t.Literal("uptime"),
  t.Literal("apps"),
  t.Literal("seen"),
]);
export type ColumnName = Static<typeof ColumnName>;
const Columns = Nullable(t.Array(ColumnName, { maxItems: 12, uniqueItems: true }));

/** Views in the member's own order, and the columns they want to see; null for the usual ones. */
export const SavedViews = t.Object({ views: t.Array(SavedView, { maxItems: VIEWS_MAX }), columns: Columns });
export type SavedViews = Static<typeof SavedViews>;

/** Columns that are left out stay as they are. */
export const SavedViewsInput = t.Object({
  views: SavedViews.properties.views,
  columns: t.Optional(Columns),
});
export type SavedViewsInput = Static<typeof SavedViewsInput>;
