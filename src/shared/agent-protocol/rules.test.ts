import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { days, hours, minutes, seconds } from "../../lib/duration.ts";
import { toPem } from "../../lib/pem.ts";
import {
  bundleId,
  type Credentials,
  clockSkew,
  confirmCredential,
  credentialInUse,
  heartbeatSeconds,
  isSkewed,
  judgeReregistration,
  receiveCredential,
  refuseCredential,
  renewalRetry,
  renewalTime,
  type Serials,
  spreadSeconds,
  useSerial,
} from "./index.ts";

const anyRandom = fc.double({ min: 0, max: 1, noNaN: true, maxExcluded: true });

describe("renewal", () => {
  test("falls between 30 and 24 days before the end, and spreads over all of it", () => {
    const end = days(90);
    fc.assert(
      fc.property(anyRandom, (value) => {
        const left = end - renewalTime(end, () => value);
        expect(left).toBeLessThanOrEqual(days(30));
        expect(left).toBeGreaterThan(days(24));
      }),
    );
    expect(end - renewalTime(end, () => 0)).toBe(days(30));
    const answers = [0.999, 0.5];
    expect(end - renewalTime(end, () => answers.shift() ?? 0)).toBe(days(25) - hours(12));
  });

  test("is tried again after a minute, then ever later up to six hours", () => {
    const longest = (failures: number) => renewalRetry(failures, () => 1);
    expect([1, 2, 3].map(longest)).toEqual([minutes(1), minutes(2), minutes(4)]);
    expect(longest(500)).toBe(hours(6));
    expect(renewalRetry(1, () => 0)).toBe(seconds(30));
  });
});

describe("two certificates", () => {
  const both: Serials = { current: "A", next: "B" };

  test("the one in use works until the next one is used, and then no more", () => {
    expect(useSerial(both, "A")).toEqual(both);
    const after = useSerial(both, "B");
    expect(after).toEqual({ current: "B", next: null });
    expect(useSerial(after ?? both, "A")).toBeNull();
    expect(useSerial({ current: "A", next: null }, "")).toBeNull();
  });

  test("whatever answers are lost, one of the two that a node holds is good", () => {
    const moves = fc.array(fc.constantFrom("renew", "renew, answer lost", "call", "call, answer lost"));
    fc.assert(
      fc.property(moves, (all) => {
        let panel: Serials = { current: "0", next: null };
        let node: Credentials<string> | null = { current: "0", pending: null };
        for (const [index, move] of all.entries()) {
          // A refusal tells the node to fall back; that it can is what this is about.
          for (let tries = 0; tries < 2 && node; tries++) {
            const seen: Serials | null = useSerial(panel, credentialInUse(node));
            if (seen) {
              panel = seen;
              break;
            }
            node = refuseCredential(node);
          }
          if (!node) throw new Error(`stranded after ${all.slice(0, index + 1).join(", ")}`);
          expect(useSerial(panel, credentialInUse(node))).not.toBeNull();
          if (move === "call") node = confirmCredential(node);
          if (!move.startsWith("renew")) continue;
          panel = { current: panel.current, next: String(index + 1) };
          if (move === "renew") node = receiveCredential(node, String(index + 1));
        }
      }),
      { numRuns: 500 },
    );
  });

  test("without a former one a refusal means a new token", () => {
    expect(refuseCredential({ current: "A", pending: null })).toBeNull();
    expect(refuseCredential({ current: "A", pending: "B" })).toEqual({ current: "A", pending: null });
  });
});

test("heartbeats slow down with the fleet, spread by a tenth and never wait longer than 60 seconds", () => {
  expect([1, 10_000, 10_001, 50_000, 50_001, 1_000_000].map(heartbeatSeconds)).toEqual([20, 20, 30, 30, 60, 60]);
  expect(spreadSeconds(20, () => 0)).toBe(18);
  expect(spreadSeconds(20, () => 0.999_999)).toBe(22);
  expect(spreadSeconds(60, () => 0.999_999)).toBe(60);
});

test("a bundle has one name whatever its order and line ends, and another for other roots", () => {
  const [a, b] = [toPem("CERTIFICATE", Uint8Array.of(1)), toPem("CERTIFICATE", Uint8Array.of(2))];
  expect(bundleId(a + b)).toBe(bundleId(b + a.replaceAll("\n", "\r\n")));
  expect(bundleId(a)).not.toBe(bundleId(a + b));
});

test("a clock is judged against the middle of the call", () => {
  expect(clockSkew(1_000, 3_000, "1970-01-01T00:00:02.000Z")).toBe(0);
  expect(clockSkew(61_000, 63_000, "1970-01-01T00:00:02.000Z")).toBe(60_000);
  expect(clockSkew(0, 0, "soon")).toBeNull();
  expect([60_000, 60_001, -60_001].map(isSkewed)).toEqual([false, true, true]);
});

test("other hardware is critical only while the former certificate lives", () => {
  const known = { fingerprint: "a", certificateEnd: 100 };
  expect(judgeReregistration(known, "a", 50)).toBe("same_hardware");
  expect(judgeReregistration(known, "b", 99)).toBe("other_hardware_while_alive");
  expect(judgeReregistration(known, "b", 100)).toBe("other_hardware");
  expect(judgeReregistration({ fingerprint: "a", certificateEnd: null }, "b", 1)).toBe("other_hardware");
});
