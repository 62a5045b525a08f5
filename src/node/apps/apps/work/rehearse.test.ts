import { expect, test } from "bun:test";
import { lastAddress } from "./rehearse.ts";

test("the last address of a network is one that its containers are not given first", () => {
  expect(lastAddress("172.20.0.0/16")).toBe("172.20.255.254");
  expect(lastAddress("192.168.16.0/20")).toBe("192.168.31.254");
  expect(lastAddress("10.0.0.128/29")).toBe("10.0.0.134");
  expect(lastAddress("10.0.0.0/30")).toBe(null);
  expect(lastAddress("fd00::/64")).toBe(null);
  expect(lastAddress("")).toBe(null);
});
