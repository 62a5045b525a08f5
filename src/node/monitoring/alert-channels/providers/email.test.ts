import { afterEach, beforeEach, expect, test } from "bun:test";
import { createFakeClock } from "../../../../../tests/kit/fake-clock.ts";
import { createFakeOutgoing } from "../../../../../tests/kit/fake-outgoing.ts";
import { type SmtpServer, startSmtpServer } from "../../../../../tests/kit/smtp-server.ts";
import { until } from "../../../../../tests/kit/until.ts";
import { findSmtpAddresses } from "../../../../shared/smtp/addresses.ts";
import { email } from "./email.ts";

let server: SmtpServer;
beforeEach(async () => {
  server = await startSmtpServer();
});
afterEach(() => server.stop());

const clock = createFakeClock();
const ports = { clock, outgoing: createFakeOutgoing() };
const rendered = { subject: "Disk full", payload: "first\n.\nlast", isCut: false };
const way = (changes: object = {}, secret: string | null = null) =>
  email.open(
    {
      host: "127.0.0.1",
      port: server.port,
      security: "none",
      from: "orrery@x.example",
      to: ["a@x.example", "b@x.example"],
      ...changes,
    },
    secret,
  );
const send = (changes?: object, secret?: string | null) => way(changes, secret).send(ports, rendered, "msg_7");

test("a letter goes to all receivers, its text unharmed", async () => {
  const result = await send();
  expect(result).toEqual({
    status: "delivered",
    code: 250,
    provider_message: "250 2.0.0 Ok: queued as 4F1",
    retry_after_ms: null,
  });
  const { commands = [], letter = "" } = server.sessions[0] ?? {};
  expect(commands.filter((line) => /^(MAIL|RCPT)/.test(line))).toEqual([
    "MAIL FROM:<orrery@x.example>",
    "RCPT TO:<a@x.example>",
    "RCPT TO:<b@x.example>",
  ]);
  expect(letter).toContain("Message-ID: <msg_7@x.example>");
  expect(letter).toContain("first\n..\nlast");
});

test("with a user it signs in; a wrong password is told, not shown", async () => {
  await send({ user: "ada" }, "s3cret-word");
  const plain = Buffer.from("\u0000ada\u0000s3cret-word").toString("base64");
  expect(server.sessions[0]?.commands).toContain(`AUTH PLAIN ${plain}`);
  server.replies["AUTH"] = "535 5.7.8 Error: authentication failed";
  const result = await send({ user: "ada" }, "s3cret-word");
  expect(result).toMatchObject({ status: "failed", code: 535 });
  expect(result.provider_message).toBe("535 5.7.8 Error: authentication failed");
});

test("without the upgrade that STARTTLS demands nothing is sent, no password either", async () => {
  const result = await send({ security: "starttls", user: "ada" }, "s3cret-word");
  expect(result.status).toBe("failed");
  expect(server.sessions.flatMap(({ commands }) => commands).join()).not.toMatch(/AUTH|MAIL/);
});

test.each([
  ["GREETING", "421 4.3.2 Service not available", "failed", 421],
  ["MAIL", "451 4.7.1 Greylisted, try again", "failed", 451],
  ["RCPT", "550 5.1.1 No such user", "failed", 550],
  ["LETTER", "552 5.3.4 Message too big", "refused", 552],
  ["LETTER", "452 4.3.1 Insufficient storage", "failed", 452],
])("%s answered by %p is %s", async (word, reply, status, code) => {
  server.replies[word] = reply;
  const result = await send();
  expect(`${result.status} ${result.code}`).toBe(`${status} ${code}`);
  expect(result.provider_message).toContain(reply.slice(4));
});

test("nobody there is a failure with a reason", async () => {
  server.stop();
  const result = await send();
  expect([result.status, result.code]).toEqual(["failed", null]);
  expect(result.provider_message).toContain("ECONNREFUSED");
});

test("a server that never answers is left after half a minute", async () => {
  server.replies["LETTER"] = "";
  const answer = send();
  await until(() => server.sessions[0]?.letter.includes("last"));
  await clock.advance(30_000);
  const result = await answer;
  expect([result.status, result.code]).toEqual(["failed", null]);
  expect(result.provider_message).toContain("within 30 seconds");
});

test.each(["127.0.0.1", "10.0.0.5", "::1", "localhost", "[::1]"])("a mail server at %s is ordinary", async (host) => {
  expect((await findSmtpAddresses(host)).length).toBeGreaterThan(0);
});

test.each(["169.254.169.254", "fe80::1", "fd00:ec2::254", "100.100.100.200", "::ffff:169.254.169.254", "224.0.0.1"])(
  "a mail server at %s is never called",
  async (host) => {
    await expect(findSmtpAddresses(host)).rejects.toThrow("not called");
  },
);
