import { expect, test } from "bun:test";
import { createHmac } from "node:crypto";
import fc from "fast-check";
import { formatSecret, signatureHeaders, signBody, signStandard } from "./sign.ts";

// Published with the reference libraries of the Standard Webhooks specification.
const VECTOR = {
  secret: "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw",
  id: "msg_p5jXN8AQM9LWM0D4loKWxJek",
  timestamp: 1614265330,
  body: '{"test": 2432232314}',
  signature: "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=",
};

test("the published vectors of Standard Webhooks", () => {
  expect(signStandard(VECTOR.secret, VECTOR.id, VECTOR.timestamp, VECTOR.body)).toBe(VECTOR.signature);
  const body = '{"event_type":"ping","data":{"success":true}}';
  expect(signStandard("whsec_plJ3nmyCDGBKInavdOK15jsl", "msg_loFOjxBNrRLzqYUf", 1731705121, body)).toBe(
    "v1,rAvfW3dJ/X/qxhsaXPOyyCGmRKsaKWcsNccKXlIktD0=",
  );
});

test("RFC 4231, case 2, for the signature over the body alone", () => {
  expect(signBody("Jefe", "what do ya want for nothing?")).toBe(
    "sha256=5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843",
  );
});

test("all headers of an attempt, while two secrets are valid", () => {
  const other = formatSecret(new Uint8Array(32).fill(9));
  const headers = signatureHeaders([VECTOR.secret, other], VECTOR.id, VECTOR.timestamp * 1000 + 999, VECTOR.body);
  expect(headers).toEqual({
    "x-service-signature": `sha256=${createHmac("sha256", VECTOR.secret).update(VECTOR.body).digest("hex")}`,
    "webhook-id": VECTOR.id,
    "webhook-timestamp": String(VECTOR.timestamp),
    "webhook-signature": `${VECTOR.signature} ${signStandard(other, VECTOR.id, VECTOR.timestamp, VECTOR.body)}`,
  });
});

/** What a receiver does that was written from the specification alone. */
function verify(secret: string, headers: Record<string, string>, body: string): boolean {
  const key = Buffer.from(secret.replace("whsec_", ""), "base64");
  const content = `${headers["webhook-id"]}.${headers["webhook-timestamp"]}.${body}`;
  const expected = createHmac("sha256", key).update(content).digest("base64");
  return (headers["webhook-signature"] ?? "").split(" ").some((part) => part === `v1,${expected}`);
}

test("any body under any secret verifies, and nothing else does", () => {
  fc.assert(
    fc.property(fc.uint8Array({ minLength: 24, maxLength: 64 }), fc.string(), fc.nat(2 ** 40), (random, body, now) => {
      const secret = formatSecret(random);
      const headers = signatureHeaders([secret], "evt_1", now, body);
      expect(verify(secret, headers, body)).toBe(true);
      expect(verify(secret, headers, `${body} `)).toBe(false);
      expect(verify(formatSecret(random.map((byte) => byte ^ 1)), headers, body)).toBe(false);
      expect(verify(secret, { ...headers, "webhook-timestamp": "0" }, body)).toBe(now < 1000);
    }),
  );
});
