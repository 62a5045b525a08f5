import { expect, test } from "bun:test";
import { chooseSecurity, configOf, fieldsOf, isReady } from "./channel-form.ts";

const blank = fieldsOf(null);
const mail = { ...blank, name: "m", host: " mail.lan ", from: "a@x.y", to: "b@x.y; c@x.y,\n d@x.y" };

test("a mail configuration is made of what was typed, and reads back the same", () => {
  const config = configOf("email", { ...mail, verify: false, user: "u" });
  expect(config).toEqual({
    host: "mail.lan",
    port: 587,
    security: "starttls",
    verify_certificate: false,
    user: "u",
    from: "a@x.y",
    to: ["b@x.y", "c@x.y", "d@x.y"],
  });
  expect(configOf("email", mail)).not.toHaveProperty("user");
});

test("a usual port follows the security, one's own does not", () => {
  expect(chooseSecurity(mail, "tls").port).toBe("465");
  expect(chooseSecurity({ ...mail, port: "2525" }, "tls").port).toBe("2525");
});

test("a form is ready when what its kind needs is there", () => {
  expect(isReady("email", mail, false)).toBe(true);
  expect(isReady("telegram", { ...blank, name: "t", chat_id: "1" }, false)).toBe(false);
  expect(isReady("telegram", { ...blank, name: "t", chat_id: "1" }, true)).toBe(true);
  expect(isReady("slack", { ...blank, name: "s", secret: "https://x" }, false)).toBe(true);
  expect(isReady("webhook", { ...blank, name: " ", url: "https://x" }, false)).toBe(false);
});
