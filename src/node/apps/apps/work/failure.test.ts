import { expect, test } from "bun:test";
import { explainExit, explainOom, explainPull, toFailure } from "./failure.ts";

// What engines 20.10 and 28 said.
test.each([
  ["toomanyrequests: You have reached your pull rate limit.", "registry_rate_limit"],
  ["manifest for 127.0.0.1:5055/x:1 not found: manifest unknown: manifest unknown", "image_not_found"],
  ['Get "http://10.0.0.7:5000/v2/a/manifests/1": no basic auth credentials', "image_forbidden"],
  ['Get "http://127.0.0.1:42913/v2/a/manifests/sha256:4429ab": no basic auth credentials', "image_forbidden"],
  ["received unexpected HTTP status: 429 Too Many Requests", "registry_rate_limit"],
  ["error parsing HTTP 429 response body: unexpected status code 429", "registry_rate_limit"],
  ["pull access denied for x/y, repository does not exist or may require 'docker login': denied", "image_forbidden"],
  [
    'Get "https://registry-1.docker.io/v2/": dial tcp: lookup registry-1.docker.io: no such host',
    "registry_unreachable",
  ],
  ["Get https://x/v2/: net/http: TLS handshake timeout", "registry_unreachable"],
  ["no matching manifest for linux/arm64/v8 in the manifest list entries", "image_wrong_arch"],
  ["failed to register layer: write /usr/bin/x: no space left on device", "disk_full"],
  ["the registry 169.254.169.254 is a link-local address, which is not called", "registry_refused"],
  ["something new", "pull_failed"],
])("pull: %s", (message, code) => {
  const failure = explainPull("redis:7", message);
  expect(failure.code).toBe(code);
  expect(failure.next_step).not.toBeNull();
});

test("what a name contains says nothing about why it was not given", () => {
  const image = `127.0.0.1:42953/denied/eof-timeout:429@sha256:${"429e".repeat(16)}`;
  const said = (words: string) => explainPull(image, words).code;
  expect(said("Head http://127.0.0.1:42953/v2/denied/eof-timeout/manifests/429: no basic auth credentials")).toBe(
    "image_forbidden",
  );
  expect(explainPull("node:20", "no basic auth credentials").code).toBe("image_forbidden");
  expect(explainPull("denied:2", "pull access for denied:2, repository is odd").code).toBe("pull_failed");
  expect(said(`manifest for ${image} not found`)).toBe("image_not_found");
  expect(said(`denied/eof-timeout@sha256:${"429e".repeat(16)} is odd`)).toBe("pull_failed");
  expect(said("Get http://127.0.0.1:42953/v2/: unexpected HTTP status: 429 Too Many Requests")).toBe(
    "registry_rate_limit",
  );
});

test("an image is told by its name and tag, without the digest that fills the line", () => {
  const image = `pihole/pihole:2026.07.2@sha256:${"f7d1".repeat(16)}`;
  expect(explainPull(image, "dial tcp: no such host").cause).toBe(
    "The registry of pihole/pihole:2026.07.2 cannot be reached from this server.",
  );
  const untagged = `redis@sha256:${"f7d1".repeat(16)}`;
  expect(explainPull(untagged, "dial tcp: no such host").cause).toContain(untagged);
});

test.each([
  [
    "driver failed programming external connectivity on endpoint x: Bind for 127.0.0.1:8080 failed: port is already allocated",
    "port_taken",
    "8080",
  ],
  [
    'invalid mount config for type "bind": bind source path does not exist: /srv/music',
    "host_path_missing",
    "/srv/music",
  ],
  ["Error starting userland proxy: listen tcp4 0.0.0.0:53: bind: address already in use", "port_taken", "53"],
  [
    'Conflict. The container name "/orrery-a-web" is already in use by container "1"',
    "container_name_taken",
    "container",
  ],
  ["mkdir /var/lib/docker/x: no space left on device", "disk_full", "full"],
])("start: %s", (message, code, word) => {
  const failure = toFailure(new Error(message));
  expect(failure.code).toBe(code);
  expect(failure.cause).toContain(word);
});

test("out of memory names the limit and proposes a higher one", () => {
  const failure = explainOom("web", 512 * 1_048_576);
  expect(failure.cause).toContain("512 MB");
  expect(failure.next_step).toContain("1024 MB");
  expect(explainOom("web", 24 * 1_048_576).next_step).toContain("64 MB");
  expect(explainOom("web", 0).cause).toContain("server ran out");
});

test("signals are called by their names", () => {
  expect(explainExit("web", 139).cause).toBe("web was ended by SIGSEGV (exit code 139).");
  expect(explainExit("web", 3).cause).toBe("web ended with exit code 3.");
});
