import { afterEach, beforeEach, expect, test } from "bun:test";
import { createFakeClock } from "../../../tests/kit/fake-clock.ts";
import { type SmtpServer, startSmtpServer } from "../../../tests/kit/smtp-server.ts";
import { sendBy } from "./index.ts";

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
const send = (addresses: string[]) =>
  sendBy(
    createFakeClock(),
    addresses,
    { host: "mx.test", port: server.port, security: "none", login: null, verifyCertificate: true },
    letter,
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
