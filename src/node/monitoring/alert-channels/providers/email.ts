import { isIP } from "node:net";
import { cutText } from "../../../../lib/cut-text.ts";
import { seconds } from "../../../../lib/duration.ts";
import { isRecord } from "../../../../lib/json.ts";
import { EmailConfig } from "../contract.ts";
import { headline, plainEntry } from "./fit.ts";
import { mailHtml } from "./mail-html.ts";
import { defineProvider, type Ports, type Rendered, type SendResult } from "./provider.ts";
import { findSmtpAddresses } from "./smtp-address.ts";

const SUBJECT_LIMIT = 200;
const TEXT_LIMIT = 100_000;
const CONNECT_MS = seconds(10);
const SILENCE_MS = seconds(15);
/** For the whole conversation, also with a server that keeps talking. */
const TOTAL_MS = seconds(30);

interface Destination {
  config: EmailConfig;
  secret: string | null;
  key: string;
}

async function sendTo(clock: Ports["clock"], address: string, destination: Destination, rendered: Rendered) {
  const { config, secret, key } = destination;
  const { createTransport } = await import("nodemailer");
  const transport = createTransport({
    host: address,
    port: config.port,
    secure: config.security === "tls",
    requireTLS: config.security === "starttls",
    ignoreTLS: config.security === "none",
    connectionTimeout: CONNECT_MS,
    greetingTimeout: CONNECT_MS,
    socketTimeout: SILENCE_MS,
    disableFileAccess: true,
    disableUrlAccess: true,
    tls: {
      ...(isIP(config.host) ? {} : { servername: config.host }),
      rejectUnauthorized: config.verify_certificate !== false,
    },
    ...(config.user && secret !== null ? { auth: { user: config.user, pass: secret } } : {}),
  });
  const late = new AbortController();
  const cancel = clock.after(TOTAL_MS, () =>
    late.abort(new Error(`The mail server did not finish within ${TOTAL_MS / 1000} seconds.`)),
  );
  try {
    return await transport.sendMail({
      from: { name: "Orrery", address: config.from },
      to: config.to,
      subject: rendered.subject,
      text: rendered.payload,
      ...(rendered.html === undefined ? {} : { html: rendered.html }),
      messageId: `<${key}@${config.from.split("@")[1] ?? "orrery"}>`,
      headers: { "Auto-Submitted": "auto-generated" },
      signal: late.signal,
    });
  } catch (error) {
    late.signal.throwIfAborted();
    throw error;
  } finally {
    cancel();
    transport.close();
  }
}

/** What to do about failures whose own words only experts understand. */
const HINTS: readonly [cause: RegExp, remedy: string][] = [
  [/WRONG_VERSION_NUMBER/, "The server does not begin encrypted on this port: choose STARTTLS, or port 465."],
  [/self.signed|certificate/i, "Let the channel accept any certificate if the server is your own."],
];

function withHint(message: string): string {
  const remedy = HINTS.find(([cause]) => cause.test(message))?.[1];
  return remedy === undefined ? message : `${message}. ${remedy}`;
}

const textOf = (value: unknown): string => (typeof value === "string" ? value : "");

/** What a failure of the conversation means. A 5xx to the letter itself is about the letter. */
function judge(error: unknown): SendResult {
  const facts = isRecord(error) ? error : {};
  const code = typeof facts["responseCode"] === "number" ? facts["responseCode"] : null;
  const isRefused = code !== null && code >= 500 && facts["command"] === "DATA";
  const message = error instanceof Error ? error.message : String(error);
  return {
    status: isRefused ? "refused" : "failed",
    code,
    provider_message: textOf(facts["response"]) || withHint(message),
    retry_after_ms: null,
  };
}

/** True when there was nobody at this address, so that another one of the same name may do. */
function wasNotReached(error: unknown): boolean {
  const code = isRecord(error) ? textOf(error["code"]) : "";
  return ["ECONNREFUSED", "ECONNECTION", "ESOCKET", "EHOSTUNREACH", "ENETUNREACH", "ETIMEDOUT"].includes(code);
}

async function deliver({ clock }: Ports, destination: Destination, rendered: Rendered): Promise<SendResult> {
  let failure: unknown = new Error(`${destination.config.host} has no address.`);
  for (const address of await findSmtpAddresses(destination.config.host)) {
    try {
      const { response, rejected } = await sendTo(clock, address, destination, rendered);
      const left = rejected.length === 0 ? "" : ` (not accepted: ${rejected.join(", ")})`;
      const code = Number(/^\d{3}/.exec(response)?.[0] ?? 250);
      return { status: "delivered", code, provider_message: `${response}${left}`, retry_after_ms: null };
    } catch (error) {
      failure = error;
      if (!wasNotReached(error)) break;
    }
  }
  return judge(failure);
}

/** Mail through an SMTP server. */
export const email = defineProvider({
  type: "email",
  schema: EmailConfig,
  secret: { name: "password", isRequired: false, check: () => null },
  gapMs: seconds(1),
  example: { host: "mail.example.org", port: 587, security: "starttls", from: "a@example.org", to: ["b@example.org"] },
  urls: () => [],
  secretPath: ({ host, port, security, verify_certificate }) => [host, port, security, verify_certificate].join(),
  render(message) {
    const text = message.entries.map(plainEntry).join("\n\n");
    return {
      subject: cutText(headline(message), SUBJECT_LIMIT),
      payload: cutText(text, TEXT_LIMIT),
      ...(message.isPlain ? {} : { html: mailHtml(message) }),
      isCut: text.length > TEXT_LIMIT,
    };
  },
  send: (ports, destination, rendered) => deliver(ports, destination, rendered).catch(judge),
});
