import { dlopen, FFIType, ptr } from "bun:ffi";
import type { Clock } from "../../lib/clock.ts";

/** Tells systemd how the service is doing; silent when there is no systemd. */
export interface Notifier {
  /**
   * Says READY and, when the unit has a watchdog, keeps feeding it three times a period. Every feed comes from the event
   * loop and only after `isAlive` said yes, so it proves both: a loop that hangs and a database that does not answer end
   * in a restart. `isAlive` may throw.
   */
  ready(isAlive: () => boolean): void;
  stopping(): void;
}

const AF_UNIX = 1;
const SOCK_DGRAM = 2;
/** Offset of sun_path in sockaddr_un on Linux. */
const PATH_OFFSET = 2;

/** Sends one datagram to the socket systemd named; abstract names start with `@`. */
function sendDatagram(socketPath: string, message: string): void {
  const libc = dlopen("libc.so.6", {
    socket: { args: [FFIType.i32, FFIType.i32, FFIType.i32], returns: FFIType.i32 },
    sendto: {
      args: [FFIType.i32, FFIType.ptr, FFIType.u64, FFIType.i32, FFIType.ptr, FFIType.u32],
      returns: FFIType.i64,
    },
    close: { args: [FFIType.i32], returns: FFIType.i32 },
  });
  const path = Buffer.from(socketPath.replace(/^@/, "\0"));
  const address = Buffer.alloc(PATH_OFFSET + path.length + (socketPath.startsWith("@") ? 0 : 1));
  address.writeUInt16LE(AF_UNIX, 0);
  path.copy(address, PATH_OFFSET);
  const payload = Buffer.from(message);
  const fd = libc.symbols.socket(AF_UNIX, SOCK_DGRAM, 0);
  if (fd >= 0) {
    libc.symbols.sendto(fd, ptr(payload), payload.length, 0, ptr(address), address.length);
    libc.symbols.close(fd);
  }
  libc.close();
}

/** The notifier of this process, from what systemd put into its environment. */
export function createNotifier(clock: Clock, env: Record<string, string | undefined> = process.env): Notifier {
  const socketPath = env["NOTIFY_SOCKET"];
  const send = (message: string) => {
    if (socketPath) sendDatagram(socketPath, message);
  };
  return {
    ready(isAlive) {
      send(`READY=1\nMAINPID=${process.pid}`);
      const watchdogUs = Number(env["WATCHDOG_USEC"] ?? 0);
      if (watchdogUs > 0) clock.every(watchdogUs / 3000, () => isAlive() && send("WATCHDOG=1"));
    },
    stopping: () => send("STOPPING=1"),
  };
}
