import { expect, test } from "bun:test";
import { hideQuoted } from "./hide-quoted.ts";

const ADDRESS = "https://ada:pass%20word@hooks.example/services/T0SECRET/very%2Fsecret?key=tok-12345&x=1#fragment";

test.each([
  `nobody at ${ADDRESS}`,
  "POST /services/T0SECRET/very%2Fsecret?key=tok-12345&x=1 404",
  "Cannot POST /services/T0SECRET/very%2Fsecret",
  JSON.stringify({ path: ADDRESS }).replaceAll("/", "\\/"),
  "key=tok-12345&amp;x=1 is unknown",
  "very/secret is unknown, and so is T0SECRET",
  `see ${encodeURIComponent(ADDRESS)}`,
  "pass word of #fragment",
  "signed with whsec_abc",
])("of an address that is quoted nothing is left that opens it: %s", (said) => {
  const hidden = hideQuoted(said, ["whsec_abc"], [ADDRESS]);
  for (const secret of ["T0SECRET", "very", "tok-12345", "pass", "fragment", "whsec"])
    expect(hidden).not.toContain(secret);
  expect(hidden).toContain("[hidden]");
});

test("an address of a server alone, short words of a path, and what is no address are left", () => {
  expect(hideQuoted("https://hooks.example/ says: no api / hook", [""], ["https://hooks.example", "none"])).toBe(
    "https://hooks.example/ says: no api / hook",
  );
  expect(hideQuoted("no hook there", [], ["https://hooks.example/hook"])).toBe("no hook there");
  expect(hideQuoted("no https://hooks.example/hook", [], ["https://hooks.example/hook"])).toBe("no [hidden]");
});
