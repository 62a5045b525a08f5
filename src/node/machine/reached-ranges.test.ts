import { expect, test } from "bun:test";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { makeScratch } from "../../../tests/kit/scratch.ts";
import { parseRoutes, parseRoutes6, readReached } from "./reached-ranges.ts";

const ROUTES = `Iface	Destination	Gateway 	Flags	RefCnt	Use	Metric	Mask		MTU	Window	IRTT
eth0	00000000	0101A8C0	0003	0	0	100	00000000	0	0	0
tun0	00000000	0000080A	0003	0	0	0	00000080	0	0	0
eth0	0001A8C0	00000000	0001	0	0	100	00FFFFFF	0	0	0
tun0	0000080A	00000000	0001	0	0	0	0000FFFF	0	0	0
*	0000600A	00000000	0201	0	0	0	0000FFFF	0	0	0
`;
const ROUTES_6 = `fd120000000000000000000000000000 40 00000000000000000000000000000000 00 00000000000000000000000000000000 00000100 00000001 00000000 00000001     eth0
fe800000000000000000000000000000 40 00000000000000000000000000000000 00 00000000000000000000000000000000 00000100 00000001 00000000 00000001     eth0
00000000000000000000000000000000 00 00000000000000000000000000000000 00 fe800000000000000000000000000001 00000400 00000001 00000000 00000003     eth0
fd120000000000000000000000000005 80 00000000000000000000000000000000 00 00000000000000000000000000000000 00000000 00000003 00000000 80200001       lo
ff000000000000000000000000000000 08 00000000000000000000000000000000 00 00000000000000000000000000000000 00000100 00000003 00000000 00000001     eth0
`;

test("ranges that the server reaches by an interface are those of its routes, without defaults and what each link has", () => {
  expect(parseRoutes(ROUTES)).toEqual([
    { range: "192.168.1.0/24", by: "eth0" },
    { range: "10.8.0.0/16", by: "tun0" },
  ]);
  expect(parseRoutes6(ROUTES_6)).toEqual([{ range: "fd12:0000:0000:0000:0000:0000:0000:0000/64", by: "eth0" }]);
});

test("its name servers count too, also those behind the stub of systemd", () => {
  const root = makeScratch("reached");
  const write = (path: string, text: string) => {
    mkdirSync(join(root, path, ".."), { recursive: true });
    writeFileSync(join(root, path), text);
  };
  write("proc/1/net/route", ROUTES);
  write("etc/resolv.conf", "# made by systemd\nnameserver 127.0.0.53\noptions edns0\nnameserver fe80::1%eth0\n");
  write("run/systemd/resolve/resolv.conf", "nameserver 10.9.9.9\n nameserver\tfd00::53\n");
  expect(readReached(root)).toEqual([
    { range: "192.168.1.0/24", by: "eth0" },
    { range: "10.8.0.0/16", by: "tun0" },
    { range: "127.0.0.53", by: null },
    { range: "fe80::1", by: null },
    { range: "10.9.9.9", by: null },
    { range: "fd00::53", by: null },
  ]);
});
