import { generateKeyPairSync, type KeyObject, X509Certificate } from "node:crypto";
import { connect as connectTls, type TLSSocket } from "node:tls";
import { makeCsr } from "../../src/shared/agent-protocol/index.ts";

/** A fresh key of a node and a request for it. */
export function makeNodeKey(name = "node"): { key: KeyObject; keyPem: string; csr: string } {
  const { privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  return {
    key: privateKey,
    keyPem: privateKey.export({ type: "pkcs8", format: "pem" }).toString(),
    csr: makeCsr(privateKey, name),
  };
}

export interface AgentReply {
  status: number;
  headers: string;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers freely
  body: any;
}

/** One TLS connection to the agent port, used for as many calls as it lives. */
export interface AgentConnection {
  socket: TLSSocket;
  /** Resolves to null when the connection ends without an answer. */
  call(path: string, body: unknown, headers?: string[]): Promise<AgentReply | null>;
  /** Sends bytes as they are. */
  raw(text: string): void;
  /** Every byte that came so far. */
  received(): string;
  closed: Promise<void>;
}

interface ClientOptions {
  port: number;
  ca: string;
  cert?: string;
  key?: string;
  /** Where to come from; another address of loopback is another network. */
  localAddress?: string;
}

/** Connects with or without a certificate; resolves after the handshake, or once the connection has failed. */
export function connectAgent(options: ClientOptions): Promise<AgentConnection> {
  return new Promise((resolve) => {
    let text = "";
    let wake = () => {};
    let isClosed = false;
    const socket = connectTls({ host: "127.0.0.1", servername: "localhost", ...options });
    const closed = new Promise<void>((done) =>
      socket.on("close", () => {
        isClosed = true;
        wake();
        done();
        resolve(connection);
      }),
    );
    socket.on("error", () => socket.destroy());
    socket.on("data", (chunk) => {
      text += chunk.toString();
      wake();
    });
    socket.on("secureConnect", () => resolve(connection));
    const read = (from: number): AgentReply | null => {
      const [head, ...rest] = text.slice(from).split("\r\n\r\n");
      const length = Number(/content-length: (\d+)/i.exec(head ?? "")?.[1] ?? -1);
      const body = rest.join("\r\n\r\n");
      if (length < 0 || Buffer.byteLength(body) < length) return null;
      return { status: Number(head?.split(" ")[1]), headers: head ?? "", body: JSON.parse(body) };
    };
    const connection: AgentConnection = {
      socket,
      closed,
      received: () => text,
      raw: (bytes) => void socket.write(bytes),
      async call(path, body, headers = []) {
        const from = text.length;
        const content = typeof body === "string" ? body : JSON.stringify(body);
        const length = `content-length: ${Buffer.byteLength(content)}`;
        const lines = [
          `POST ${path} HTTP/1.1`,
          "host: localhost",
          "content-type: application/json",
          length,
          ...headers,
        ];
        if (!isClosed) socket.write(`${lines.join("\r\n")}\r\n\r\n${content}`);
        for (;;) {
          const reply = read(from);
          if (reply || isClosed) return reply;
          await new Promise<void>((done) => {
            wake = done;
          });
        }
      },
    };
  });
}

/** The chain that the port presents, leaf first, whoever signed it. */
export function readServerChain(port: number): Promise<X509Certificate[]> {
  return new Promise((resolve, reject) => {
    const socket = connectTls({ host: "127.0.0.1", servername: "localhost", port, rejectUnauthorized: false }, () => {
      const chain: X509Certificate[] = [];
      let next = socket.getPeerCertificate(true);
      while (next?.raw && !chain.some(({ raw }) => raw.equals(next.raw))) {
        chain.push(new X509Certificate(next.raw));
        next = next.issuerCertificate;
      }
      socket.destroy();
      resolve(chain);
    });
    socket.on("error", reject);
  });
}
