import { isIP } from "node:net";
import { seconds } from "../../../../lib/duration.ts";
import { isRecord } from "../../../../lib/json.ts";
import { EmailConfig } from "../contract.ts";
import { cutText, headline, plainEntry } from "./fit.ts";
import { mailHtml } from "./mail-html.ts";
import { defineProvider, type Rendered, type SendResult } from "./provider.ts";
import { findSmtpAddresses } from "./smtp-address.ts";

const SUBJECT_LIMIT = 200;
const TEXT_LIMIT = 100_000;
const CONNECT_MS = seconds(10);
const SILENCE_MS = seconds(15);

interface Destination {
  config: EmailConfig;
  secret: string | null;
  key: string;
}

async function sendTo(address: string, { config, secret, key }: Destination, rendered: Rendered) {
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
  try {
    return await transport.sendMail({
      from: { name: "Orrery", address: config.from },
      to: config.to,
      subject: rendered.subject,
      text: rendered.payload,
      ...(rendered.html === undefined ? {} : { html: rendered.html }),
      messageId: `<${key}@${config.from.split("@")[1] ?? "orrery"}>`,
      headers: { "Auto-Submitted": "auto-generated" },
    });
  } finally {
    transport.close();
  }
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
    provider_message: textOf(facts["response"]) || message,
    retry_after_ms: null,
  };
}

/** True when there was nobody at this address, so that another one of the same name may do. */
function wasNotReached(error: unknown): boolean {
  const code = isRecord(error) ? textOf(error["code"]) : "";
  return ["ECONNREFUSED", "ECONNECTION", "ESOCKET", "EHOSTUNREACH", "ENETUNREACH", "ETIMEDOUT"].includes(code);
}

async function deliver(destination: Destination, rendered: Rendered): Promise<SendResult> {
  let failure: unknown = new Error(`${destination.config.host} has no address.`);
  for (const address of await findSmtpAddresses(destination.config.host)) {
    try {
      const { response, rejected } = await sendTo(address, destination, rendered);
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
  send: (_, destination, rendered) => deliver(destination, rendered).catch(judge),
});
