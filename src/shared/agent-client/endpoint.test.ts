import { expect, test } from "bun:test";
import { agentUrl, parseAgentUrl } from "./endpoint.ts";

test.each([
  ["https://panel.example:8443", { host: "panel.example", port: 8443 }],
  ["https://panel.example", { host: "panel.example", port: 8443 }],
  ["https://panel.example:443/", { host: "panel.example", port: 443 }],
  ["https://192.0.2.1:9443", { host: "192.0.2.1", port: 9443 }],
  ["https://[2001:db8::1]:9443", { host: "2001:db8::1", port: 9443 }],
  ["https://[2001:db8::1]", { host: "2001:db8::1", port: 8443 }],
  ["HTTPS://Panel.Example", { host: "panel.example", port: 8443 }],
])("%s is an endpoint", (text, endpoint) => {
  expect(parseAgentUrl(text)).toEqual(endpoint);
  expect(parseAgentUrl(agentUrl(endpoint))).toEqual(endpoint);
});

test.each([
  "",
  "panel.example",
  "http://panel.example",
  "https://",
  "https://a:0",
  "https://a:99999",
  "https://user@panel.example",
  "https://panel.example/path",
  "https://panel.example?x",
  "https://panel example",
])("%p is none", (text) => {
  expect(parseAgentUrl(text)).toBeNull();
});
