import { dlopen, FFIType, ptr } from "bun:ffi";
import { readdirSync, readFileSync } from "node:fs";

/** A connection that this program has accepted. */
export interface PortSocket {
  /** Its descriptor; the same number may be another connection a moment later. */
  fd: number;
  /** The other end. */
  address: string;
  port: number;
}

/** The connections of this program, also those on which nothing was asked yet. */
export interface PortSockets {
  /** How many descriptors of any kind this program has open. */
  descriptors(): number;
  /** How many it may have. */
  maxDescriptors(): number;
  /** Those that came to one of its own ports. */
  list(ownPort: number): PortSocket[];
  /** Ends one for both sides; its owner in this program learns it like any end. */
  end(socket: PortSocket): void;
}

const FAMILY_4 = 2;
const FAMILY_6 = 10;
/** `SHUT_RDWR` of shutdown(2). */
const BOTH_WAYS = 2;
/** `struct sockaddr_in6`, the longest that is read. */
const ADDRESS_BYTES = 28;

/** Asks the kernel, as the runtime's web server tells of connections only once they carry a request. Linux only. */
export function openPortSockets(): PortSockets {
  const name = { args: [FFIType.i32, FFIType.ptr, FFIType.ptr], returns: FFIType.i32 } as const;
  const { symbols } = dlopen("libc.so.6", {
    getsockname: name,
    getpeername: name,
    shutdown: { args: [FFIType.i32, FFIType.i32], returns: FFIType.i32 },
  });
  const bytes = new Uint8Array(ADDRESS_BYTES);
  const view = new DataView(bytes.buffer);
  const length = new Uint32Array(1);

  /** Whether the bytes hold the address of that end of a connection over IP. */
  const read = (end: "getsockname" | "getpeername", fd: number): boolean => {
    length[0] = ADDRESS_BYTES;
    if (symbols[end](fd, ptr(bytes), ptr(length)) !== 0) return false;
    const family = view.getUint16(0, true);
    return family === FAMILY_4 || family === FAMILY_6;
  };
  const portOf = () => view.getUint16(2);

  return {
    descriptors: () => readdirSync("/proc/self/fd").length,
    maxDescriptors: () => Number(/^Max open files +(\d+)/m.exec(readFileSync("/proc/self/limits", "utf8"))?.[1]),
    list(ownPort) {
      const found: PortSocket[] = [];
      for (const entry of readdirSync("/proc/self/fd")) {
        const fd = Number(entry);
        if (!read("getsockname", fd) || portOf() !== ownPort || !read("getpeername", fd)) continue;
        found.push({ fd, address: addressIn(view), port: portOf() });
      }
      return found;
    },
    end({ fd, address, port }) {
      // The number may have gone to something else since it was read.
      if (read("getpeername", fd) && portOf() === port && addressIn(view) === address) symbols.shutdown(fd, BOTH_WAYS);
    },
  };
}

/** The address in a `sockaddr`; IPv4 within IPv6 is IPv4. */
function addressIn(view: DataView): string {
  const four = (at: number) => [0, 1, 2, 3].map((step) => view.getUint8(at + step)).join(".");
  if (view.getUint16(0, true) === FAMILY_4) return four(4);
  if (view.getBigUint64(8) === 0n && view.getUint32(16) === 0xffff) return four(20);
  return [0, 1, 2, 3, 4, 5, 6, 7].map((group) => view.getUint16(8 + group * 2).toString(16)).join(":");
}
