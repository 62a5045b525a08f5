import { expect, test } from "bun:test";
import { createFakeClock } from "../../../../tests/kit/fake-clock.ts";
import type { Outgoing } from "../../../kernel/outgoing/index.ts";
import { minutes } from "../../../lib/duration.ts";
import type { Flow } from "./flows.ts";
import { createProviders } from "./provider.ts";

test("a provider that is in use all the time is asked every ten minutes what it is", async () => {
  const issuer = "https://id.example";
  const clock = createFakeClock();
  let asked = 0;
  const request: Outgoing["request"] = async ({ asker }) => {
    // Names are looked up in the turn of the connector's own workspace.
    expect(asker).toBe("ten_1");
    asked += 1;
    const authorization_endpoint = `${issuer}/authorize/${asked}`;
    const body = JSON.stringify({ issuer, authorization_endpoint });
    return { status: 200, headers: { "content-type": "application/json" }, body, duration_ms: 1 };
  };
  const providers = createProviders({ clock, outgoing: { request, checkUrl: () => {} } });
  const flow: Flow = {
    ...{ connector_id: "sso_1", version: 1, browser: "b", return_to: "/", ip: "192.0.2.1", tester: null },
    ...{ nonce: "n", verifier: "v".repeat(43), redirect_uri: "https://panel.example/back" },
  };
  const seen: string[] = [];
  for (let minute = 0; minute < 25; minute += 5) {
    const url = await providers.begin(
      { tenant_id: "ten_1", issuer, oidc_client: "panel", secret: null },
      flow,
      "state",
      null,
    );
    seen.push(url.pathname);
    await clock.advance(minutes(5));
  }
  expect(seen).toEqual(["/authorize/1", "/authorize/1", "/authorize/2", "/authorize/2", "/authorize/3"]);
});
