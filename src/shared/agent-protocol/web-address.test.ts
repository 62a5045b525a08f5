import { expect, test } from "bun:test";
import { inventoryOf, isWebAddress } from "./index.ts";

const GOOD = [
  "https://a.example/api/oauth/callback",
  "http://192.0.2.7:8420/",
  "http://[2001:db8::1]:8420/x",
  "http://nas",
];
const HOSTILE = [
  ...[
    "https://[",
    "https://",
    "http:",
    "javascript:alert(1)",
    "JavaScript://a.example/%0aalert(1)",
    "data:text/html,x",
    "",
  ],
  ...[
    "//a.example",
    "/api",
    "https://a b/",
    "https://a.example/\n",
    "https://user:secret@a.example/",
    "https://me@a.example/",
  ],
  ...[
    "ftp://a.example/",
    "https://a.example:99999/",
    "https://256.1.1.1/",
    `https://a.example/${"x".repeat(2_000)}`,
    " https://a",
  ],
];

test("addresses of web pages are told from everything else", () => {
  expect(GOOD.filter((text) => !isWebAddress(text))).toEqual([]);
  expect(HOSTILE.filter(isWebAddress)).toEqual([]);
});

test("of the addresses that a node calls its own the hostile ones are left out, and the others stay", () => {
  expect(
    inventoryOf.sign_in_urls({ sign_in_urls: [...HOSTILE.filter((url) => url.length < 2_000 && url !== ""), ...GOOD] }),
  ).toEqual(GOOD);
  expect(inventoryOf.sign_in_urls({ sign_in_urls: ["https://["] })).toEqual([]);
  expect(inventoryOf.sign_in_urls({ sign_in_urls: "https://a.example" })).toBeNull();
  expect(inventoryOf.sign_in_urls(null)).toBeNull();
});
