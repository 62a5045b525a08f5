import { dlopen, FFIType, ptr } from "bun:ffi";

/** A file's extended attribute: the whole name, as `user.comment`, and its bytes. */
export interface Attribute {
  name: string;
  value: Uint8Array;
}

/** What the kernel gives at most. */
const MOST_BYTES = 64 * 1024;

function openLibrary() {
  const { ptr: pointer, u64, i64_fast } = FFIType;
  return dlopen("libc.so.6", {
    llistxattr: { args: [pointer, pointer, u64], returns: i64_fast },
    lgetxattr: { args: [pointer, pointer, pointer, u64], returns: i64_fast },
  });
}

let library: ReturnType<typeof openLibrary> | null = null;
const room = new Uint8Array(MOST_BYTES);

/** Extended attributes of what lies at a path, a link itself included; none where its disk knows of none. Linux only. */
export function readAttributes(path: Uint8Array): Attribute[] {
  library ??= openLibrary();
  const { llistxattr, lgetxattr } = library.symbols;
  const file = Buffer.concat([path, Uint8Array.of(0)]);
  const listed = Number(llistxattr(ptr(file), ptr(room), MOST_BYTES));
  if (listed <= 0) return [];
  const names = Buffer.from(room.subarray(0, listed)).toString().split("\0");
  const found: Attribute[] = [];
  for (const name of names.filter((one) => one !== "")) {
    const length = Number(lgetxattr(ptr(file), ptr(Buffer.from(`${name}\0`)), ptr(room), MOST_BYTES));
    if (length >= 0) found.push({ name, value: room.slice(0, length) });
  }
  return found;
}
