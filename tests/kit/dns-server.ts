import { createSocket } from "node:dgram";
import { Resolver } from "node:dns/promises";

/** A DNS server of a test. */
export interface DnsServer {
  /** Where it listens, `address:port`. */
  server: string;
  /** Asks it for A and AAAA of a name. */
  resolve(host: string): Promise<string[]>;
  /** Names and types of all questions so far. */
  asked: string[];
  close(): Promise<void>;
}

const TYPES: Record<number, "A" | "AAAA"> = { 1: "A", 28: "AAAA" };

/** Reads the one question of a query: its name, type and where it ends. */
function readQuestion(query: Buffer): { name: string; type: "A" | "AAAA" | "other"; end: number } {
  const labels: string[] = [];
  let at = 12;
  for (let length = query[at] ?? 0; length > 0; length = query[at] ?? 0) {
    labels.push(query.toString("latin1", at + 1, at + 1 + length));
    at += 1 + length;
  }
  return { name: labels.join("."), type: TYPES[query.readUInt16BE(at + 1)] ?? "other", end: at + 5 };
}

const rdata = (address: string): Buffer =>
  address.includes(":")
    ? Buffer.from(
        address
          .split(":")
          .map((group) => group.padStart(4, "0"))
          .join(""),
        "hex",
      )
    : Buffer.from(address.split(".").map(Number));

/** The addresses of a name; null where nothing is said, "fails" where the server says that it cannot tell, and a promise where that takes its time. */
type Answer = (name: string, type: "A" | "AAAA") => string[] | null | "fails" | Promise<string[]>;

/** Answers each question anew by `answer`, with a life of 0 seconds; IPv6 addresses in full, without `::`. */
export async function startDnsServer(answer: Answer): Promise<DnsServer> {
  const asked: string[] = [];
  const socket = createSocket("udp4");
  socket.on("message", async (query, from) => {
    const { name, type, end } = readQuestion(query);
    asked.push(`${name} ${type}`);
    const said = type === "other" ? [] : await answer(name, type);
    if (said === null) return;
    const addresses = said === "fails" ? [] : said;
    const head = Buffer.from(query.subarray(0, end));
    head.writeUInt16BE(said === "fails" ? 0x8182 : 0x8180, 2);
    head.writeUInt16BE(addresses.length, 6);
    head.writeUInt32BE(0, 8);
    const records = addresses.map((address) => {
      const data = rdata(address);
      const record = Buffer.from([0xc0, 12, 0, data.length === 4 ? 1 : 28, 0, 1, 0, 0, 0, 0, 0, data.length]);
      return Buffer.concat([record, data]);
    });
    socket.send(Buffer.concat([head, ...records]), from.port, from.address);
  });
  await new Promise<void>((done) => socket.bind(0, "127.0.0.1", done));
  const resolver = new Resolver({ timeout: 2_000, tries: 1 });
  resolver.setServers([`127.0.0.1:${socket.address().port}`]);
  return {
    server: `127.0.0.1:${socket.address().port}`,
    asked,
    async resolve(host) {
      const found = await Promise.allSettled([resolver.resolve4(host), resolver.resolve6(host)]);
      return found.flatMap((part) => (part.status === "fulfilled" ? part.value : []));
    },
    close: () => new Promise((done) => socket.close(() => done())),
  };
}
