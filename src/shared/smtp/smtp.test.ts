import { afterEach, beforeEach, expect, test } from "bun:test";
import { createFakeClock } from "../../../tests/kit/fake-clock.ts";
import { type SmtpServer, startSmtpServer } from "../../../tests/kit/smtp-server.ts";
import { type Letter, sendBy } from "./index.ts";

let server: SmtpServer;
beforeEach(async () => {
  server = await startSmtpServer();
});
afterEach(() => server.stop());

const letter = {
  from: { name: "Orrery", address: "a@x.example" },
  to: ["b@x.example"],
  subject: "s",
  text: "t",
  id: "m",
};
const send = (addresses: string[], more: Partial<Letter> = {}) =>
  sendBy(
    createFakeClock(),
    addresses,
    { host: "mx.test", port: server.port, security: "none", login: null, verifyCertificate: true },
    { ...letter, ...more },
  );

test("where nobody is at one address of a mail server, the next one is tried", async () => {
  await send(["127.0.0.2", "127.0.0.1"]);
  expect(server.sessions).toHaveLength(1);
});

test("a conversation that breaks off is not begun anew at another address: the letter may have been taken", async () => {
  server.resets.add("LETTER");
  await expect(send(["127.0.0.1", "127.0.0.1"])).rejects.toThrow();
  expect(server.sessions).toHaveLength(1);
});

test("a subject that looks as if it were encoded arrives as what it says", async () => {
  await send(["127.0.0.1"], { subject: "=?utf-8?B?QmNjOiB4?= and =?utf-8?Q?=0A?= invite you" });
  const unfolded = server.sessions[0]?.letter.replace(/\r?\n[ \t]+/g, " ") ?? "";
  const subject = /^Subject: (.*)$/m.exec(unfolded)?.[1]?.trim() ?? "";
  const shown = subject
    .replaceAll("?= =?", "?==?")
    .replace(/=\?utf-8\?Q\?(.*?)\?=/gi, (_, text: string) =>
      decodeURIComponent(text.replaceAll("_", " ").replaceAll("%", "=25").replaceAll("=", "%")),
    );
  expect(shown.replaceAll("\u200b", "")).toBe("=?utf-8?B?QmNjOiB4?= and =?utf-8?Q?=0A?= invite you");
});
