import { dlopen, FFIType, ptr } from "bun:ffi";
import { afterEach, beforeEach, expect, test } from "bun:test";
import { rmSync } from "node:fs";
import { join } from "node:path";
import { createFakeClock } from "../../../tests/kit/fake-clock.ts";
import { makeScratch } from "../../../tests/kit/scratch.ts";
import { createNotifier } from "./notify.ts";

const AF_UNIX = 1;
const SOCK_DGRAM = 2;
const MSG_DONTWAIT = 0x40;

const libc = dlopen("libc.so.6", {
  socket: { args: [FFIType.i32, FFIType.i32, FFIType.i32], returns: FFIType.i32 },
  bind: { args: [FFIType.i32, FFIType.ptr, FFIType.u32], returns: FFIType.i32 },
  recv: { args: [FFIType.i32, FFIType.ptr, FFIType.u64, FFIType.i32], returns: FFIType.i64 },
  close: { args: [FFIType.i32], returns: FFIType.i32 },
});

/** A real datagram socket as systemd has one; `received` drains what has arrived. */
function listen(name: string): { received(): string[]; close(): void } {
  const path = Buffer.from(name.startsWith("@") ? `\0${name.slice(1)}` : `${name}\0`);
  const address = Buffer.alloc(2 + path.length);
  address.writeUInt16LE(AF_UNIX, 0);
  path.copy(address, 2);
  const fd = libc.symbols.socket(AF_UNIX, SOCK_DGRAM, 0);
  expect(libc.symbols.bind(fd, ptr(address), address.length)).toBe(0);
  const buffer = Buffer.alloc(4_096);
  return {
    received() {
      const messages: string[] = [];
      while (true) {
        const length = Number(libc.symbols.recv(fd, ptr(buffer), buffer.length, MSG_DONTWAIT));
        if (length < 0) return messages;
        messages.push(buffer.toString("utf8", 0, length));
      }
    },
    close: () => void libc.symbols.close(fd),
  };
}

let folder: string;
beforeEach(() => {
  folder = makeScratch("notify");
});
afterEach(() => rmSync(folder, { recursive: true }));

test.each(["file", "abstract"])("systemd hears READY and STOPPING on a socket of kind %s", (kind) => {
  const name = kind === "file" ? join(folder, "notify") : `@orrery-test-${process.pid}`;
  const socket = listen(name);
  const notifier = createNotifier(createFakeClock(), { NOTIFY_SOCKET: name });
  notifier.ready(() => true);
  notifier.stopping();
  expect(socket.received()).toEqual([`READY=1\nMAINPID=${process.pid}`, "STOPPING=1"]);
  socket.close();
});

test("the watchdog is fed well within its period, and only while the program is alive", async () => {
  const name = join(folder, "notify");
  const socket = listen(name);
  const clock = createFakeClock();
  let isAlive = true;
  createNotifier(clock, { NOTIFY_SOCKET: name, WATCHDOG_USEC: "30000000" }).ready(() => isAlive);
  socket.received();
  await clock.advance(30_000);
  const fed = socket.received();
  expect(fed.length).toBeGreaterThanOrEqual(2);
  expect(new Set(fed)).toEqual(new Set(["WATCHDOG=1"]));
  isAlive = false;
  await clock.advance(60_000);
  expect(socket.received()).toEqual([]);
  socket.close();
});

test("without systemd, without a watchdog or without a listener nothing happens", async () => {
  const clock = createFakeClock();
  const silent = createNotifier(clock, {});
  silent.ready(() => true);
  silent.stopping();
  createNotifier(clock, { NOTIFY_SOCKET: join(folder, "nobody") }).ready(() => true);
  const name = join(folder, "notify");
  const socket = listen(name);
  createNotifier(clock, { NOTIFY_SOCKET: name }).ready(() => true);
  socket.received();
  await clock.advance(600_000);
  expect(socket.received()).toEqual([]);
  socket.close();
});
