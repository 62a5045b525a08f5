import { expect, test } from "bun:test";
import { containerState, fewNames, fits, portUrl, portWords } from "./words.ts";

test.each([
  ["running", "Up 3 minutes", "ok", "Running"],
  ["running", "Up 3 minutes (unhealthy)", "warn", "Running, unhealthy"],
  ["running", "Up 2 seconds (health: starting)", "busy", "Starting…"],
  ["exited", "Exited (0) 2 days ago", "off", "Stopped"],
  ["exited", "Exited (143) 2 days ago", "off", "Stopped"],
  ["exited", "Exited (137) 2 days ago", "off", "Killed"],
  ["exited", "Exited (1) 2 days ago", "crit", "Ended with code 1"],
  ["restarting", "Restarting (1) 5 seconds ago", "warn", "Keeps restarting"],
  ["new-word", "", "unknown", "new-word"],
])("%s, %s", (state, status, shape, word) => {
  expect(containerState({ state, status })).toEqual({ state: shape as never, word });
});

const port = { container: 80, protocol: "tcp", host: 8080, bind: "0.0.0.0" };

test("a port is a link where this browser can reach it", () => {
  expect(portUrl(port, { hostname: "atlas.lan" })).toBe("http://atlas.lan:8080/");
  expect(portUrl({ ...port, bind: "192.168.1.5" }, { hostname: "atlas.lan" })).toBe("http://192.168.1.5:8080/");
  expect(portUrl({ ...port, bind: "127.0.0.1" }, { hostname: "atlas.lan" })).toBeNull();
  expect(portUrl({ ...port, bind: "127.0.0.1" }, { hostname: "localhost" })).toBe("http://localhost:8080/");
  expect(portUrl({ ...port, host: null, bind: null }, { hostname: "localhost" })).toBeNull();
  expect(portUrl({ ...port, protocol: "udp" }, { hostname: "localhost" })).toBeNull();
  expect(portWords(port)).toBe("8080 → 80");
  expect(portWords({ ...port, host: 53, container: 53, protocol: "udp" })).toBe("53/udp");
});

test("lists stay short, and every word of a search counts", () => {
  expect([fewNames(["a"]), fewNames(["a", "b", "c", "d"])]).toEqual(["a", "a, b and 2 more"]);
  expect([fits("media 80", "Media", null, "8080"), fits("media 99", "Media", "8080")]).toEqual([true, false]);
});
