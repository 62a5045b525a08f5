import { expect, test } from "bun:test";
import { createFakeClock } from "../../../../tests/kit/fake-clock.ts";
import { networksAround } from "../../../kernel/http/peer.ts";
import { createIds } from "../../../lib/ids.ts";
import { createChallenges } from "./challenges.ts";

test("a stranger who has passkeys asked for over and over pushes out none of those that others answer", () => {
  const clock = createFakeClock();
  const challenges = createChallenges({ clock, ids: createIds(clock.now) });
  const ask = (ip: string) =>
    challenges.open(
      {
        ...{ rp_id: "panel.example", origin: "https://panel.example", challenge: "challenge" },
        purpose: { kind: "passkey" },
      },
      networksAround(ip),
    );
  const own = ask("198.51.100.9");
  for (let no = 0; no < 25_000; no++) ask(`2001:db8:0:${no.toString(16)}::1`);
  expect(challenges.take(own, "passkey")?.challenge).toBe("challenge");
  expect(challenges.take(own, "passkey")).toBeNull();
});
