import { expect, test } from "bun:test";
import {
  loginFor,
  mirrorFault,
  parseImageReference,
  parseLogins,
  parseMirrors,
  pullSources,
} from "./image-reference.ts";

const DIGEST = `sha256:${"a".repeat(64)}`;

test.each([
  ["redis", "docker.io", "library/redis", null, null],
  ["redis:7", "docker.io", "library/redis", "7", null],
  ["gitea/gitea:1.22", "docker.io", "gitea/gitea", "1.22", null],
  [`ghcr.io/immich-app/server:v1@${DIGEST}`, "ghcr.io", "immich-app/server", "v1", DIGEST],
  ["127.0.0.1:5055/x/y", "127.0.0.1:5055", "x/y", null, null],
  ["localhost/x", "localhost", "x", null, null],
])("%s", (text, registry, repository, tag, digest) => {
  expect(parseImageReference(text)).toEqual({ registry, repository, tag, digest });
});

test("a mirror comes first, the registry itself second", () => {
  const mirrors = parseMirrors("mirror.lan:5000, ghcr.io=mirror.lan:5000/ghcr/");
  expect(pullSources("redis:7", mirrors)).toEqual(["mirror.lan:5000/library/redis:7", "docker.io/library/redis:7"]);
  expect(pullSources(`ghcr.io/a/b:1@${DIGEST}`, mirrors)).toEqual([
    `mirror.lan:5000/ghcr/a/b@${DIGEST}`,
    `ghcr.io/a/b@${DIGEST}`,
  ]);
  expect(pullSources("quay.io/a/b", mirrors)).toEqual(["quay.io/a/b:latest"]);
  expect(pullSources("quay.io/a/b", parseMirrors("*=all.lan"))).toEqual(["all.lan/a/b:latest", "quay.io/a/b:latest"]);
});

test("a mirror with a scheme is refused with words", () => {
  expect(mirrorFault("https://mirror.lan")).toContain("without https://");
  expect(mirrorFault("")).toBeNull();
  expect(mirrorFault("ghcr.io=mirror.lan:5000/x")).toBeNull();
});

test("logins are found by registry", () => {
  const logins = parseLogins('[{"registry":"docker.io","username":"u","password":"p"}]');
  expect(loginFor("redis", logins)).toEqual({ registry: "docker.io", username: "u", password: "p" });
  expect(loginFor("ghcr.io/a/b", logins)).toBeNull();
  expect(parseLogins(" ")).toEqual([]);
  expect(() => parseLogins('[{"registry":"x"}]')).toThrow("registry, username and password");
});
