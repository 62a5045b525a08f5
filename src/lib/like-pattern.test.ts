import { Database } from "bun:sqlite";
import { expect, test } from "bun:test";
import { escapeLike } from "./like-pattern.ts";

test("a text in a pattern means itself", () => {
  const db = new Database(":memory:");
  const isFound = (text: string, within: string) =>
    db.query("SELECT ? LIKE ? ESCAPE '\\' AS is_found").get(within, `%${escapeLike(text)}%`);
  for (const text of ["100%", "a_b", "c\\d", "%", "_", "\\"])
    expect(isFound(text, `x${text}y`)).toEqual({ is_found: 1 });
  expect(isFound("a_b", "acb")).toEqual({ is_found: 0 });
  expect(isFound("%", "none")).toEqual({ is_found: 0 });
});
