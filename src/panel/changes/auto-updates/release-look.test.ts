import { afterEach, beforeEach, expect, test } from "bun:test";
import { generateKeyPairSync, type KeyObject } from "node:crypto";
import { createFakeClock, passing } from "../../../../tests/kit/fake-clock.ts";
import { type ReleaseServer, startReleaseServer } from "../../../../tests/kit/release-server.ts";
import { loadConfig } from "../../../kernel/config.ts";
import { panelConfigTable } from "../../config.ts";
import { createReleaseLook } from "./release-look.ts";

let server: ReleaseServer;
beforeEach(async () => {
  server = await startReleaseServer();
});
afterEach(() => server.close());

function lookAt(place: string, key: KeyObject | null = server.key, allowed = ["127.0.0.0/8"]) {
  const env = {
    ORRERY_RELEASE_BASE: place === "" ? "" : `${server.base}/${place}`,
    ORRERY_RELEASE_ALLOW_CIDRS: allowed.join(","),
  };
  const config = loadConfig(panelConfigTable, env, {});
  return createReleaseLook({ config, clock: passing(createFakeClock()) }, key);
}
const newest = (look: ReturnType<typeof lookAt>): Promise<string> =>
  look.newest(new AbortController().signal).catch((error: Error) => `refused: ${error.message}`);

test("what the maker signed says which version is the newest", async () => {
  server.add("latest", "x", "2.0.0");
  const look = lookAt("latest");
  expect(look.hindrance).toBeNull();
  expect(await newest(look)).toBe("2.0.0");
});

test("a list that somebody else signed or changed says nothing", async () => {
  const files = server.add("latest", "x", "2.0.0");
  expect(await newest(lookAt("latest", generateKeyPairSync("ed25519").publicKey))).toContain("not from the maker");
  const list = Buffer.from(files.get("SHA256SUMS") ?? "").toString();
  files.set("SHA256SUMS", Buffer.from(list.replaceAll("2.0.0", "9.0.0")));
  expect(await newest(lookAt("latest"))).toContain("not from the maker");
});

test("a place that is off the public internet is not asked unless that was allowed", async () => {
  server.add("latest", "x", "2.0.0");
  expect(await newest(lookAt("latest", server.key, []))).toContain("refused");
  expect(server.asked).toEqual([]);
});

test("without a place or a key it says what to do", () => {
  expect(lookAt("").hindrance).toContain("ORRERY_RELEASE_BASE");
  expect(lookAt("latest", null).hindrance).toContain("Install a released one");
});
