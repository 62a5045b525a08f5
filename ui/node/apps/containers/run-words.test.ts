import { expect, test } from "bun:test";
import { readEnvironment, readPorts, readVolumes } from "./run-words.ts";

test("lines become what the server takes", () => {
  expect(readPorts("8080:80\n\n 53:53/udp ", "lan")).toEqual({
    ok: true,
    value: [
      { host: 8080, container: 80, protocol: "tcp", reach: "lan" },
      { host: 53, container: 53, protocol: "udp", reach: "lan" },
    ],
  });
  expect(readEnvironment("A=b=c d\nEMPTY=")).toEqual({ ok: true, value: { A: "b=c d", EMPTY: "" } });
  expect(readVolumes("data:/var/lib/data\nconf:/etc/x:ro")).toEqual({
    ok: true,
    value: [
      { name: "data", path: "/var/lib/data", read_only: false },
      { name: "conf", path: "/etc/x", read_only: true },
    ],
  });
});

test.each([
  ["80", readPorts("80", "loopback")],
  ["a word", readEnvironment("PATH=/bin\na word")],
  ["/etc:/data", readVolumes("/etc:/data")],
  ["orrery-shop-data.1:/data", readVolumes("orrery-shop-data.1:/data")],
])("the line %s is named", (line, read) => {
  expect(read).toMatchObject({ ok: false, problem: expect.stringContaining(`“${line}”`) });
});
