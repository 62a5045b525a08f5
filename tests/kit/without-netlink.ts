/**
 * Becomes the program of its arguments, which then cannot hear from the kernel that networks come and go (no netlink sockets).
 * Chromium drops connections it is about to make at each such word, and every app that another suite starts has a network.
 * Without netlink Chromium takes the machine to be online and leaves its connections alone.
 */
import { dlopen, FFIType, ptr } from "bun:ffi";

const SOCKET_CALL: Record<string, number> = { x64: 41, arm64: 198 };
const [AF_NETLINK, EAFNOSUPPORT] = [16, 97];
const [PR_SET_SECCOMP, PR_SET_NO_NEW_PRIVS, SECCOMP_MODE_FILTER] = [22, 38, 2];
const [SECCOMP_RET_ALLOW, SECCOMP_RET_ERRNO] = [0x7fff0000, 0x00050000];
// What Playwright speaks to a browser through.
const PIPES = [3, 4];
const F_SETFD = 2;

const { symbols: libc } = dlopen("libc.so.6", {
  prctl: { args: [FFIType.i32, FFIType.u64, FFIType.u64, FFIType.u64, FFIType.u64], returns: FFIType.i32 },
  fcntl: { args: [FFIType.i32, FFIType.i32, FFIType.i32], returns: FFIType.i32 },
  execv: { args: [FFIType.ptr, FFIType.ptr], returns: FFIType.i32 },
});

/** One step of a filter: load a word of the call, compare it and skip steps, or decide. */
type Step = [code: number, skipIfTrue: number, skipIfFalse: number, value: number];
const [LOAD, IS, DECIDE] = [0x20, 0x15, 0x06];

function encode(steps: readonly Step[]): Uint8Array {
  const bytes = new Uint8Array(steps.length * 8);
  const view = new DataView(bytes.buffer);
  for (const [index, [code, skipIfTrue, skipIfFalse, value]] of steps.entries()) {
    view.setUint16(index * 8, code, true);
    view.setUint8(index * 8 + 2, skipIfTrue);
    view.setUint8(index * 8 + 3, skipIfFalse);
    view.setUint32(index * 8 + 4, value, true);
  }
  return bytes;
}

/** False where the kernel has no such filters; the program then runs as it always did. */
function refuseNetlink(): boolean {
  const call = SOCKET_CALL[process.arch];
  if (call === undefined) return false;
  const steps: Step[] = [
    [LOAD, 0, 0, 0],
    [IS, 0, 3, call],
    [LOAD, 0, 0, 16],
    [IS, 0, 1, AF_NETLINK],
    [DECIDE, 0, 0, SECCOMP_RET_ERRNO | EAFNOSUPPORT],
    [DECIDE, 0, 0, SECCOMP_RET_ALLOW],
  ];
  const filter = encode(steps);
  const program = new BigUint64Array([BigInt(steps.length), BigInt(ptr(filter))]);
  return (
    libc.prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) === 0 &&
    libc.prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, ptr(program), 0, 0) === 0
  );
}

const argv = process.argv.slice(2).map((word) => Buffer.from(`${word}\0`));
const [program] = argv;
if (!program) throw new Error("a program is needed");
if (!refuseNetlink()) process.stderr.write("netlink could not be refused; connections may be dropped\n");
for (const pipe of PIPES) libc.fcntl(pipe, F_SETFD, 0);
const list = new BigUint64Array([...argv.map((word) => BigInt(ptr(word))), 0n]);
libc.execv(ptr(program), ptr(list));
throw new Error(`${process.argv[2]} cannot be started`);
