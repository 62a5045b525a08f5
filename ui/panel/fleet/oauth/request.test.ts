import { expect, test } from "bun:test";
import { readRequest, safeReturn } from "./request.ts";

const asked = {
  response_type: "code",
  client_id: "n1",
  redirect_uri: "https://atlas.lan:8420/api/oauth/callback",
  state: "state-of-node",
  code_challenge: "a".repeat(43),
  code_challenge_method: "S256",
} as const;

test("a request is whole or nothing", () => {
  expect(readRequest(new URLSearchParams({ ...asked, extra: "1" }))).toEqual(asked);
  for (const name of Object.keys(asked)) {
    const less = new URLSearchParams(asked);
    less.delete(name);
    expect(readRequest(less)).toBeNull();
  }
  expect(readRequest(new URLSearchParams({ ...asked, code_challenge_method: "plain" }))).toBeNull();
});

test("the way back leads to the node that asked and nowhere else", () => {
  const back = `${asked.redirect_uri}?code=c&state=s`;
  expect(safeReturn(back, asked)).toBe(back);
  for (const other of [
    "javascript:alert(1)",
    "https://elsewhere.example/api/oauth/callback?code=c",
    "https://atlas.lan/api/oauth/callback?code=c",
    "https://atlas.lan:8420/other?code=c",
    "/api/oauth/callback",
  ])
    expect(safeReturn(other, asked)).toBeNull();
});
