import { expect, test } from "bun:test";
import { explainAnswer } from "./explain-answer.ts";

const ADDRESS = "registry.lan:5000";
const GET = `Get "https://${ADDRESS}/v2/":`;

test.each([
  [500, `login attempt to https://${ADDRESS}/v2/ failed with status: 401 Unauthorized`, "refused"],
  [401, `${GET} unauthorized: incorrect username or password`, "refused"],
  [401, "", "refused"],
  [500, `${GET} denied: requested access to the resource is denied`, "refused"],
  [500, `${GET} dial tcp: lookup registry.lan on 10.0.0.1:53: no such host`, "unreachable"],
  [500, `${GET} dial tcp 10.0.0.7:5000: connect: connection refused`, "unreachable"],
  [500, `${GET} dial tcp 10.0.0.7:5000: i/o timeout`, "unreachable"],
  [500, `${GET} net/http: request canceled while waiting for connection`, "unreachable"],
  [0, "The operation was aborted due to timeout", "unreachable"],
  [500, `${GET} dial tcp 10.0.0.7:5000: connect: no route to host`, "unreachable"],
  [500, `${GET} x509: certificate signed by unknown authority`, "tls"],
  [500, `${GET} x509: certificate is valid for other.lan, not registry.lan`, "tls"],
  [500, `${GET} x509: certificate has expired or is not yet valid: current time is after 2020`, "tls"],
  [500, `${GET} http: server gave HTTP response to HTTPS client`, "tls"],
  [500, `login attempt to https://${ADDRESS}/v2/ failed with status: 404 Not Found`, "no_registry"],
  [500, "toomanyrequests: You have reached your pull rate limit.", "failed"],
  [403, `the registry ${ADDRESS} is a link-local address, which is not called`, "failed"],
  [500, "something new", "failed"],
])("%i %p is told as %p, with what to do", (status, message, outcome) => {
  const told = explainAnswer(ADDRESS, status, message);
  expect(told).toMatchObject({ outcome, said: message });
  expect(told.words).toContain(ADDRESS);
  expect(told.words).not.toContain("http");
  expect(told.next_step).toMatch(/\.$/);
});

test("the number of a port is no status", () => {
  expect(explainAnswer("registry.lan:429", 500, 'Get "https://registry.lan:429/v2/": EOF').outcome).toBe("unreachable");
  expect(explainAnswer("registry.lan:404", 500, 'Get "https://registry.lan:404/v2/": EOF').outcome).toBe("unreachable");
});

test("what a server answered that the registry sends Docker to is not passed on", () => {
  const message =
    'Get "http://r.lan:5000/v2/": error parsing HTTP 403 response body: invalid character: "secret of\nthe inside"';
  const { outcome, said } = explainAnswer("r.lan:5000", 500, message);
  expect([outcome, said]).toEqual([
    "no_registry",
    'Get "http://r.lan:5000/v2/": error parsing HTTP 403 response body: …',
  ]);
});
