import { expect, test } from "bun:test";
import { linesFor, programs } from "./connections.ts";

const connection = { url: "https://home.example/dav/drive/", username: "ada", password: "abcdef-ghijkm" };

test.each(programs.map(({ value }) => value))("the lines for %s say where the Drive is", (program) => {
  const lines = linesFor(program, connection);
  expect(lines).toContain("home.example/dav/drive/");
  const asksItself = ["finder", "gnome"].includes(program);
  expect([lines.includes("abcdef-ghijkm"), lines.includes("ada")]).toEqual([!asksItself, program !== "finder"]);
});

test("GNOME's address tells whether the way there is sealed", () => {
  expect(linesFor("gnome", connection)).toBe("davs://ada@home.example/dav/drive/");
  expect(linesFor("gnome", { ...connection, url: "http://nas:8080/dav/drive/" })).toBe("dav://ada@nas:8080/dav/drive/");
});
