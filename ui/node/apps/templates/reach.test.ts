import { expect, test } from "bun:test";
import { reachOfPorts } from "./reach.ts";

const port = (container: number, publish: "proxy" | "loopback" | "lan" | "public") => ({
  service: "web",
  container,
  publish,
});

test("the choice is for the pages of an app; a database beside them stays where it is", () => {
  expect(reachOfPorts([port(80, "proxy"), port(5432, "loopback")], "lan")).toEqual({ "web:80": "lan" });
  expect(reachOfPorts([port(80, "proxy"), port(53, "lan")], "loopback")).toEqual({ "web:80": "loopback" });
  expect(reachOfPorts([port(6379, "loopback")], "lan")).toEqual({ "web:6379": "lan" });
});
