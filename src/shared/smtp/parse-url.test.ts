import { expect, test } from "bun:test";
import { parseMailServer } from "./parse-url.ts";

test.each([
  ["smtps://mail.example.org", { host: "mail.example.org", port: 465, security: "tls", login: null }],
  [
    "smtp://ada%40x.org:p%3Aw%2F@mail.example.org:2525/",
    { port: 2525, security: "starttls", login: { user: "ada@x.org", password: "p:w/" } },
  ],
  ["smtp+plain://[::1]", { host: "::1", port: 25, security: "none" }],
  ["smtp://mail.example.org?verify=no", { verifyCertificate: false, port: 587 }],
])("%s", (text, expected) => {
  expect(parseMailServer(text)).toMatchObject(expected as object);
});

test.each([
  "",
  "mail.example.org:25",
  "http://mail.example.org",
  "smtp://",
  "smtp://user@mail.example.org",
  "smtp://a/b",
])("%p is refused", (text) => {
  expect(() => parseMailServer(text)).toThrow(/^must /);
});
