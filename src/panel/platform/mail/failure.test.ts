import { expect, test } from "bun:test";
import { readFailure } from "./failure.ts";

const reply = (command: string, response: string) =>
  Object.assign(new Error(`Mail command failed: ${response}`), {
    command,
    response,
    responseCode: Number(response.slice(0, 3)),
  });

test.each([
  ["RCPT TO", "550 5.1.1 No such user", { isFinal: true, isUnreachable: true }],
  ["RCPT TO", "550 No such user here", { isFinal: true, isUnreachable: true }],
  ["RCPT TO", "550-5.2.1 The mailbox is disabled", { isFinal: true, isUnreachable: true }],
  // An address that fails after the letter was read is one that nobody has, too.
  ["DATA", "554 5.1.1 No such user", { isFinal: true, isUnreachable: true }],
  // What the server thinks of the letter, of a full mailbox or of the sender says nothing of the address.
  ["RCPT TO", "554 5.7.1 Relay access denied", { isFinal: true, isUnreachable: false }],
  ["RCPT TO", "552 5.2.2 Mailbox full", { isFinal: true, isUnreachable: false }],
  ["RCPT TO", "550 5.1.8 Bad sender's system address", { isFinal: true, isUnreachable: false }],
  ["RCPT TO", "552 Exceeded storage allocation", { isFinal: true, isUnreachable: false }],
  ["DATA", "554 Looks like spam", { isFinal: true, isUnreachable: false }],
  ["RCPT TO", "451 4.3.0 Try again", { isFinal: false, isUnreachable: false }],
  ["MAIL FROM", "550 5.7.1 Sender refused", { isFinal: false, isUnreachable: false }],
])("%s: %s", (command, response, expected) => {
  expect(readFailure(reply(command, response))).toEqual({ reason: response, ...expected });
});

test("the way to the mail server is nobody's business but of whoever runs the panel", () => {
  const failures = [
    new Error("connect ECONNREFUSED 10.0.0.7:25"),
    reply("AUTH PLAIN", "535 5.7.8 user postmaster@corp.example: wrong password"),
    "nothing",
  ];
  for (const error of failures)
    expect(readFailure(error)).toEqual({
      reason: "It could not be handed to the mail server of this panel.",
      isFinal: false,
      isUnreachable: false,
    });
});

test("the words of a server are one line of at most 300 characters, and hide nothing", () => {
  const { reason } = readFailure(reply("RCPT TO", `550 5.1.1 No\r\n550 \u001b[31mred \u202eeman ${"x".repeat(500)}`));
  expect(reason).toHaveLength(300);
  expect(reason).toStartWith("550 5.1.1 No 550 [31mred eman xxx");
});
