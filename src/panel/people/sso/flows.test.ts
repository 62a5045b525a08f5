import { expect, test } from "bun:test";
import { createFakeClock } from "../../../../tests/kit/fake-clock.ts";
import { networksAround } from "../../../kernel/http/peer.ts";
import { createFlows, type Flow } from "./flows.ts";

const flow: Flow = {
  ...{ connector_id: "sso_1", version: 1, nonce: "nonce", verifier: "verifier", browser: "mark" },
  ...{ return_to: "/", redirect_uri: "https://panel.example/back", ip: "192.0.2.1", tester: null },
};

test("a stranger who begins over and over from all networks of a site pushes no sign-in of others out", () => {
  const { underway } = createFlows(createFakeClock());
  underway.set("same provider", flow, networksAround("2001:db8:ffff::1"));
  underway.set("other", flow, networksAround("198.51.100.9"));
  for (let no = 0; no < 25_000; no++)
    underway.set(`stranger ${no}`, flow, networksAround(`2001:db8:0:${no.toString(16)}::1`));
  expect([underway.take("same provider"), underway.take("other"), underway.take("other")]).toEqual([flow, flow, null]);
});
