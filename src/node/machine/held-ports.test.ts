import { afterEach, expect, test } from "bun:test";
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { makeScratch } from "../../../tests/kit/scratch.ts";
import { parseSocketAddress, parseSocketTable, readHeldPorts } from "./held-ports.ts";

const folders: string[] = [];
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true });
});

// Captured from /proc/net/tcp, /proc/net/tcp6 and /proc/net/udp.
const TCP = `  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode
   0: 0100007F:13BF 00000000:0000 0A 00000000:00000000 00:00000000 00000000     0        0 1066 1 0 100 0 0 10 0
   1: 0100007F:13BF 0100007F:D2F4 06 00000000:00000000 03:00000A21 00000000     0        0 0 3 0`;
const TCP6 = `  sl  local_address                         remote_address                        st tx_queue
   0: 00000000000000000000000000000000:1F90 00000000000000000000000000000000:0000 0A 00000000:00000000`;
const UDP = `   sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode ref pointer drops
  133: 00000000:0044 00000000:0000 07 00000000:00000000 00:00000000 00000000     0        0 1140 2 0 0`;

test("sockets are read from the kernel's tables", () => {
  expect(parseSocketTable(TCP, "tcp")).toEqual([{ address: "127.0.0.1", port: 5055, protocol: "tcp" }]);
  expect(parseSocketTable(TCP6, "tcp")).toEqual([{ address: "::", port: 8080, protocol: "tcp" }]);
  expect(parseSocketTable(UDP, "udp")).toEqual([{ address: "0.0.0.0", port: 68, protocol: "udp" }]);
  expect(parseSocketTable("", "tcp")).toEqual([]);
});

test.each([
  ["3500007F", "127.0.0.53"],
  ["00000000000000000000000001000000", "::1"],
  ["0000000000000000FFFF00003500007F", "127.0.0.53"],
  ["B80D0120000000000000000001000000", "2001:db8:0:0:0:0:0:1"],
])("the kernel's %s is %s", (hex, address) => {
  expect(parseSocketAddress(hex)).toBe(address);
});

test("seen from a container, the ports are those of the host's first process", () => {
  const root = makeScratch("ports");
  folders.push(root);
  for (const [folder, text] of [
    ["proc/net", UDP],
    ["proc/1/net", TCP],
  ] as const) {
    mkdirSync(join(root, folder), { recursive: true });
    writeFileSync(join(root, folder, folder === "proc/net" ? "udp" : "tcp"), text);
  }
  expect(readHeldPorts(root)).toEqual([{ address: "127.0.0.1", port: 5055, protocol: "tcp" }]);
});

test("a port that this process listens on is held", () => {
  const listener = Bun.listen({ hostname: "127.0.0.1", port: 0, socket: { data() {} } });
  expect(readHeldPorts("/")).toContainEqual({ address: "127.0.0.1", port: listener.port, protocol: "tcp" });
  listener.stop(true);
});
