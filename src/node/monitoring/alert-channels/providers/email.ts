import { cutText } from "../../../../lib/cut-text.ts";
import { seconds } from "../../../../lib/duration.ts";
import { isRecord } from "../../../../lib/json.ts";
import { sendLetter } from "../../../../shared/smtp/index.ts";
import { EmailConfig } from "../contract.ts";
import { headline, plainEntry } from "./fit.ts";
import { mailHtml } from "./mail-html.ts";
import { defineProvider, type Ports, type Rendered, type SendResult } from "./provider.ts";

const SUBJECT_LIMIT = 200;
const TEXT_LIMIT = 100_000;
interface Destination {
  config: EmailConfig;
  secret: string | null;
  key: string;
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

async function deliver({ clock }: Ports, destination: Destination, rendered: Rendered): Promise<SendResult> {
  const { config, secret, key } = destination;
  const server = {
    host: config.host,
    port: config.port,
    security: config.security,
    login: config.user && secret !== null ? { user: config.user, password: secret } : null,
    verifyCertificate: config.verify_certificate !== false,
  };
  const { response, rejected } = await sendLetter(clock, server, {
    from: { name: "Orrery", address: config.from },
    to: config.to,
    subject: rendered.subject,
    text: rendered.payload,
    ...(rendered.html === undefined ? {} : { html: rendered.html }),
    id: key,
  });
  const left = rejected.length === 0 ? "" : ` (not accepted: ${rejected.join(", ")})`;
  const code = Number(/^\d{3}/.exec(response)?.[0] ?? 250);
  return { status: "delivered", code, provider_message: `${response}${left}`, retry_after_ms: null };
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
