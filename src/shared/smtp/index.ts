/** Sends mail through an SMTP server: one letter, one conversation. */
import { isIP } from "node:net";
import type { Clock } from "../../lib/clock.ts";
import { seconds } from "../../lib/duration.ts";
import { isRecord } from "../../lib/json.ts";
import { findSmtpAddresses } from "./addresses.ts";

const CONNECT_MS = seconds(10);
const SILENCE_MS = seconds(15);
/** For the whole conversation, also with a server that keeps talking. */
const TOTAL_MS = seconds(30);

/** A mail server, and how to sign in there. */
export interface MailServer {
  /** Name or address. */
  host: string;
  port: number;
  /** Encrypted from the first byte; by STARTTLS, without which nothing is sent; or not at all. */
  security: "tls" | "starttls" | "none";
  /** Both or neither. */
  login: { user: string; password: string } | null;
  /** False for a server whose certificate nobody known has signed. */
  verifyCertificate: boolean;
}

/** What is sent. */
export interface Letter {
  from: { name: string; address: string };
  to: string[];
  subject: string;
  text: string;
  html?: string;
  /** What it is written in, such as "de"; not said where it is left out. */
  language?: string;
  /** Unique; the address's domain is added. A letter that is sent again keeps it. */
  id: string;
}

/** What the server said to a letter that it took, and whom of its receivers it did not. */
export interface Receipt {
  response: string;
  rejected: string[];
}

async function converse(clock: Clock, address: string, server: MailServer, letter: Letter): Promise<Receipt> {
  const { createTransport } = await import("nodemailer");
  const transport = createTransport({
    host: address,
    port: server.port,
    secure: server.security === "tls",
    requireTLS: server.security === "starttls",
    ignoreTLS: server.security === "none",
    connectionTimeout: CONNECT_MS,
    greetingTimeout: CONNECT_MS,
    socketTimeout: SILENCE_MS,
    disableFileAccess: true,
    disableUrlAccess: true,
    tls: {
      ...(isIP(server.host) ? {} : { servername: server.host }),
      rejectUnauthorized: server.verifyCertificate,
    },
    ...(server.login === null ? {} : { auth: { user: server.login.user, pass: server.login.password } }),
  });
  const late = new AbortController();
  const cancel = clock.after(TOTAL_MS, () =>
    late.abort(new Error(`The mail server did not finish within ${TOTAL_MS / 1000} seconds.`)),
  );
  try {
    const { response, rejected } = await transport.sendMail({
      from: letter.from,
      // As objects: a text is taken for a list of addresses.
      to: letter.to.map((receiver) => ({ name: "", address: receiver })),
      // A name in it says what it says: whatever looks as if it were encoded is no encoding.
      subject: letter.subject.replaceAll("=?", "=\u200b?"),
      text: letter.text,
      ...(letter.html === undefined ? {} : { html: letter.html }),
      messageId: `<${letter.id}@${letter.from.address.split("@")[1] ?? "orrery"}>`,
      headers: {
        "Auto-Submitted": "auto-generated",
        ...(letter.language === undefined ? {} : { "Content-Language": letter.language }),
      },
      signal: late.signal,
    });
    return { response, rejected };
  } catch (error) {
    late.signal.throwIfAborted();
    throw error;
  } finally {
    cancel();
    transport.close();
  }
}

/**
 * True when no conversation began at an address, so that another one of the same name may do. What breaks off later may have been
 * taken: the letter would come twice.
 */
function wasNotReached(error: unknown): boolean {
  const { syscall, timeoutType } = isRecord(error) ? error : {};
  return syscall === "connect" || timeoutType === "CONNECT_TIMEOUT" || timeoutType === "GREETING_TIMEOUT";
}

/** Sends a letter. Throws what went wrong: an Error for people, or nodemailer's with `responseCode`, `response` and `command`. */
export async function sendLetter(clock: Clock, server: MailServer, letter: Letter): Promise<Receipt> {
  return sendBy(clock, await findSmtpAddresses(server.host), server, letter);
}

/** The same by the first of these addresses where somebody is. */
export async function sendBy(
  clock: Clock,
  addresses: readonly string[],
  server: MailServer,
  letter: Letter,
): Promise<Receipt> {
  let failure: unknown = new Error(`${server.host} has no address.`);
  for (const address of addresses) {
    try {
      return await converse(clock, address, server, letter);
    } catch (error) {
      failure = error;
      if (!wasNotReached(error)) break;
    }
  }
  throw failure;
}
