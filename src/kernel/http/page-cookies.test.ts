import { expect, test } from "bun:test";
import fc from "fast-check";
import { keepForPage, takePageKey } from "./page-cookies.ts";

const KEY = "a-key_of22characters00";
const COOKIES = { names: ["token", "again"], hint: "is" };
const taken = (url: string) => {
  const request = new Request(url);
  return [takePageKey(request, COOKIES), request.url];
};

/** The cookies of a request to this path as it goes on. */
function cookiesAt(path: string, sent: string): string | null {
  const request = new Request(`http://node.example${path}`, { headers: { cookie: sent } });
  takePageKey(request, COOKIES);
  return request.headers.get("cookie");
}

test("of the cookies that prove who asks a page has its own alone", () => {
  const sent = `token=theirs; x=1; token~${KEY}=a=b; again~${KEY}x=no; again=theirs; is=1`;
  expect(cookiesAt(`/~${KEY}/api/apps`, sent)).toBe(`x=1; token=a%3Db; again~${KEY}x=no; is=1`);
  expect(cookiesAt("/api/apps", sent)).toBe(sent);
});

test("no way to write a cookie makes one of the plain names the page's own", () => {
  const part = fc.constantFrom(
    "token",
    "again",
    `~${KEY}`,
    "=",
    ";",
    " ",
    "\t",
    "%74",
    "%3B",
    "%3D",
    '"',
    "\u00a0",
    "x",
    ",",
  );
  fc.assert(
    fc.property(fc.array(part, { maxLength: 14 }), (parts) => {
      const sent = parts.join("");
      const read = new Bun.CookieMap(cookiesAt(`/~${KEY}/api/apps`, sent) ?? "");
      const before = new Bun.CookieMap(sent);
      for (const name of COOKIES.names) expect(read.get(name)).toBe(before.get(`${name}~${KEY}`));
    }),
    { numRuns: 2_000, examples: [[["token", " ", "=", "x"]], [["x", "=", ";", "\t", "token", "=", "x"]]] },
  );
});

test("a key is taken out of the address wherever a page may say it, and nowhere else", () => {
  const host = "http://node.example:8420";
  expect(taken(`${host}/~${KEY}/api/apps?x=/~y`)).toEqual([KEY, `${host}/api/apps?x=/~y`]);
  expect(taken(`${host}/~${KEY}/ws/terminal`)).toEqual([KEY, `${host}/ws/terminal`]);
  for (const path of [
    `/~${KEY}/`,
    `/~${KEY}/assets/app.js`,
    `/~${KEY}`,
    "/~short/api/apps",
    `/~${KEY}.x/api/apps`,
    `/~${"k".repeat(65)}/api/apps`,
    `/api/~${KEY}/apps`,
    `/api/auth/~${KEY}/refresh`,
    `/x?/~${KEY}/api/apps`,
    "/",
  ])
    expect(taken(host + path)).toEqual([null, host + path]);
});

test("only cookies that prove who asks are kept for the page", () => {
  const answer = new Response(null, {
    headers: [
      ["set-cookie", "token=a=b; Path=/; Max-Age=60; HttpOnly"],
      ["set-cookie", "again=c; Path=/api/auth; Max-Age=60; HttpOnly"],
      ["set-cookie", "is=1; Path=/; Max-Age=60"],
      ["set-cookie", "other=x; Path=/"],
    ],
  });
  keepForPage(answer, KEY, COOKIES);
  expect(answer.headers.getSetCookie()).toEqual([
    "token=; Path=/; Max-Age=0; HttpOnly",
    `token~${KEY}=a=b; Path=/~${KEY}; Max-Age=60; HttpOnly`,
    "again=; Path=/api/auth; Max-Age=0; HttpOnly",
    `again~${KEY}=c; Path=/~${KEY}/api/auth; Max-Age=60; HttpOnly`,
    "is=1~; Path=/; Max-Age=60",
    "other=x; Path=/",
  ]);
  const gone = new Response(null, {
    headers: [
      ["set-cookie", "is=; Path=/; Max-Age=0"],
      ["set-cookie", "token=; Path=/; Max-Age=0"],
    ],
  });
  keepForPage(gone, KEY, { names: ["token"], hint: "is" });
  expect(gone.headers.getSetCookie()[0]).toBe("is=; Path=/; Max-Age=0");
});
