import { dlopen, FFIType, ptr } from "bun:ffi";

const AF_NETLINK = 16;
const SOCK_RAW_CLOEXEC = 0x80003;
const NETLINK_ROUTE = 0;
const MSG_DONTWAIT = 0x40;

const NLMSG_ERROR = 2;
const NLM_F_REQUEST = 1;
const RTM_NEWLINK = 16;
const RTM_GETLINK = 18;
const IFLA_IFNAME = 3;
const ENODEV = 19;

/** Header of a message, and what follows in one that is about an interface. */
const HEADER_BYTES = 16;
const LINK_BYTES = 16;
/** The kernel takes no longer name for the first name of an interface. */
const LONGEST_NAME = 15;
/** Only the beginning of an answer is read. */
const MOST_BYTES = 4096;

function openLibrary() {
  const { ptr: pointer, i32, u64, i64_fast } = FFIType;
  return dlopen("libc.so.6", {
    socket: { args: [i32, i32, i32], returns: i32 },
    send: { args: [i32, pointer, u64, i32], returns: i64_fast },
    recv: { args: [i32, pointer, u64, i32], returns: i64_fast },
    close: { args: [i32], returns: i32 },
  });
}

let library: ReturnType<typeof openLibrary> | null = null;

/** The question for one interface by its name. */
function questionFor(name: Buffer): Buffer {
  const attribute = 4 + name.length + 1;
  // Attributes end at a multiple of four.
  const question = Buffer.alloc(HEADER_BYTES + LINK_BYTES + Math.ceil(attribute / 4) * 4);
  question.writeUInt32LE(question.length, 0);
  question.writeUInt16LE(RTM_GETLINK, 4);
  question.writeUInt16LE(NLM_F_REQUEST, 6);
  question.writeUInt16LE(attribute, HEADER_BYTES + LINK_BYTES);
  question.writeUInt16LE(IFLA_IFNAME, HEADER_BYTES + LINK_BYTES + 2);
  name.copy(question, HEADER_BYTES + LINK_BYTES + 4);
  return question;
}

/**
 * Whether the kernel finds an interface of our network by this name, which may be one of its other names that stand in no list; null where
 * it does not say. Asked as Docker does, by netlink: the older way of asking has the kernel load a module of that name. Linux only.
 */
export function hasLink(name: string): boolean | null {
  const bytes = Buffer.from(name);
  if (bytes.length === 0 || bytes.length > LONGEST_NAME || bytes.includes(0)) return false;
  library ??= openLibrary();
  const { socket, send, recv, close } = library.symbols;
  const descriptor = socket(AF_NETLINK, SOCK_RAW_CLOEXEC, NETLINK_ROUTE);
  if (descriptor < 0) return null;
  try {
    const question = questionFor(bytes);
    if (Number(send(descriptor, ptr(question), question.length, 0)) !== question.length) return null;
    // The kernel has answered when it has taken the question.
    const answer = Buffer.alloc(MOST_BYTES);
    const length = Number(recv(descriptor, ptr(answer), answer.length, MSG_DONTWAIT));
    if (length < HEADER_BYTES + 4) return null;
    const type = answer.readUInt16LE(4);
    if (type === RTM_NEWLINK) return true;
    return type === NLMSG_ERROR && answer.readInt32LE(HEADER_BYTES) === -ENODEV ? false : null;
  } finally {
    close(descriptor);
  }
}
