import { expect, test } from "bun:test";
import { findUnconfirmed } from "./unconfirmed-bytes.ts";

// Captured from /proc/net/tcp and /proc/net/tcp6.
const TCP = `  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode
   5: 0100007F:A7B4 0100007F:8E27 01 003C2B43:00000000 04:00000011 00000000     0        0 17568138 2 0 20 0 0 17 -1
  93: 0100007F:8E27 0100007F:A7B4 01 00000000:00017400 00:00000000 00000000     0        0 17568139 1 0 20 8 0 10 -1`;
const TCP6 = `  sl  local_address                         remote_address                        st tx_queue rx_queue
   0: B80D0120000000000000000001000000:9C40 B80D0120000000000000000002000000:1972 01 0000002A:00000000`;

test("what the other machine has not confirmed stands in the kernel's table, by both ends of the connection", () => {
  const ends = { localPort: 0xa7b4, remoteAddress: "127.0.0.1", remotePort: 0x8e27 };
  expect(findUnconfirmed(TCP, ends)).toBe(0x3c2b43);
  expect(findUnconfirmed(TCP, { ...ends, localPort: 0x8e27, remotePort: 0xa7b4 })).toBe(0);
  expect(findUnconfirmed(TCP, { ...ends, remoteAddress: "127.0.0.2" })).toBeNull();
  expect(findUnconfirmed("", ends)).toBeNull();
  expect(findUnconfirmed(TCP6, { localPort: 40_000, remoteAddress: "2001:db8::2", remotePort: 6514 })).toBe(42);
});
