import { createServer, type Socket } from "node:net";
import { TLSSocket } from "node:tls";
import { TLS_FIXTURE } from "./tls-fixture.ts";

/** One conversation with a mail client: what it said, line by line. */
export interface SmtpSession {
  commands: string[];
  /** Text of the letter, when one came. */
  letter: string;
  /** True once what is said is encrypted. */
  isEncrypted: boolean;
}

/** A mail server that can be made to misbehave; for the replies a real one gives only on bad days. */
export interface SmtpServer {
  port: number;
  sessions: SmtpSession[];
  /** Replies by the first word of a command, instead of the usual ones; an empty one is silence. */
  replies: Record<string, string>;
  /** First words of commands that it answers by resetting the connection; `LINE` for the first line of a letter, `TLS` for the handshake. */
  resets: Set<string>;
  stop(): void;
}

/** Replies of a server that can encrypt; nobody has signed its certificate. */
export const WITH_TLS = {
  EHLO: "250-mx.test\r\n250-STARTTLS\r\n250 AUTH PLAIN LOGIN",
  STARTTLS: "220 2.0.0 Ready to start TLS",
} as const;

const USUAL: Record<string, string> = {
  EHLO: "250-mx.test\r\n250 AUTH PLAIN LOGIN",
  AUTH: "235 2.7.0 Authentication successful",
  MAIL: "250 2.1.0 Ok",
  RCPT: "250 2.1.5 Ok",
  DATA: "354 End data with <CR><LF>.<CR><LF>",
  LETTER: "250 2.0.0 Ok: queued as 4F1",
  QUIT: "221 2.0.0 Bye",
};

function converse(socket: Socket, session: SmtpSession, { replies, resets }: SmtpServer): void {
  let way = socket;
  let rest = "";
  let isLetter = false;
  const say = (word: string): void => {
    if (resets.has(word)) return void socket.resetAndDestroy();
    const reply = replies[word] ?? USUAL[word] ?? "502 5.5.2 Error: command not recognized";
    if (reply !== "") way.write(`${reply}\r\n`);
  };
  const hear = (chunk: Buffer): void => {
    const lines = (rest + chunk.toString("utf8")).split("\r\n");
    rest = lines.pop() ?? "";
    for (const line of lines) {
      if (isLetter && line !== ".") {
        session.letter += `${line}\n`;
        if (resets.has("LINE")) return void socket.resetAndDestroy();
        continue;
      }
      if (isLetter) {
        isLetter = false;
        say("LETTER");
        continue;
      }
      session.commands.push(line);
      const word = line.split(" ")[0]?.toUpperCase() ?? "";
      isLetter = word === "DATA" && replies["DATA"] === undefined;
      say(word);
      if (word === "STARTTLS" && replies["STARTTLS"]?.startsWith("220")) encrypt();
    }
  };
  const encrypt = (): void => {
    socket.off("data", hear);
    if (resets.has("TLS")) return void socket.once("data", () => socket.resetAndDestroy());
    way = new TLSSocket(socket, { isServer: true, ...TLS_FIXTURE });
    way.on("error", () => {});
    way.on("data", hear);
    session.isEncrypted = true;
  };
  socket.write(`${replies["GREETING"] ?? "220 mx.test ESMTP"}\r\n`);
  socket.on("error", () => {});
  socket.on("data", hear);
}

export async function startSmtpServer(): Promise<SmtpServer> {
  const server: SmtpServer = { port: 0, sessions: [], replies: {}, resets: new Set(), stop: () => listener.close() };
  const listener = createServer((socket) => {
    const session = { commands: [], letter: "", isEncrypted: false };
    server.sessions.push(session);
    converse(socket, session, server);
  });
  await new Promise<void>((resolve) => listener.listen(0, "127.0.0.1", resolve));
  const address = listener.address();
  server.port = typeof address === "object" && address ? address.port : 0;
  return server;
}
