import { expect, test } from "bun:test";
import { keepForPage, takePageKey } from "./page-cookies.ts";

const KEY = "a-key_of22characters00";
const COOKIES = { names: ["token", "again"], hint: "is" };
const taken = (url: string) => {
  const request = new Request(url);
  return [takePageKey(request, COOKIES), request.url];
};

test("of the cookies that prove who asks a page has its own alone, and where it takes over those of all paths", () => {
  const sent = `token=theirs; x=1; token~${KEY}=a=b; again~${KEY}x=no; again=theirs; is=1`;
  const read = (path: string) => {
    const request = new Request(`http://node.example${path}`, { headers: { cookie: sent } });
    takePageKey(request, COOKIES);
    return request.headers.get("cookie");
  };
  expect(read(`/~${KEY}/api/apps`)).toBe(`x=1; token=a=b; again~${KEY}x=no; is=1`);
  expect(read(`/api/auth/~${KEY}/refresh`)).toBe(sent);
  expect(read("/api/apps")).toBe(sent);
});

test("a key is taken out of the address wherever a page may say it, and nowhere else", () => {
  const host = "http://node.example:8420";
  expect(taken(`${host}/~${KEY}/api/apps?x=/~y`)).toEqual([KEY, `${host}/api/apps?x=/~y`]);
  expect(taken(`${host}/~${KEY}/ws/terminal`)).toEqual([KEY, `${host}/ws/terminal`]);
  expect(taken(`${host}/api/auth/~${KEY}/refresh`)).toEqual([KEY, `${host}/api/auth/refresh`]);
  for (const path of [
    `/~${KEY}/`,
    `/~${KEY}/assets/app.js`,
    `/~${KEY}`,
    "/~short/api/apps",
    `/~${KEY}.x/api/apps`,
    `/~${"k".repeat(65)}/api/apps`,
    `/api/~${KEY}/apps`,
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
