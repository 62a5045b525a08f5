/** One message that a chat took. */
export interface ChatMessage {
  service: "telegram" | "slack" | "discord" | "webhook";
  /** Milliseconds, monotonic. */
  at: number;
  // Each service has a shape of its own; a wrong guess fails the test.
  // biome-ignore lint/suspicious/noExplicitAny: see above
  body: any;
  headers: Record<string, string>;
}

/** Local servers that answer in the words of the real ones. */
export interface ChatServer {
  url: string;
  messages: ChatMessage[];
  /** Answers the next `count` requests with the service's own 429, asking for `seconds`. */
  limit(count: number, seconds: number): void;
  /** While true requests are taken and never answered. */
  isMute: boolean;
  stop(): Promise<void>;
}

export const BOT_TOKEN = "123456789:AAEhBOweik6ad9r_QXMENQjcrGbqCr4K-bc";
const CHAT_ID = "-1001234567890";
export const SLACK_PATH = "/services/T00000000/B00000000/XXXXXXXXXXXXXXXXXXXXXXXX";
export const DISCORD_PATH = "/api/webhooks/112233445566778899/dLx_token";

const json = (status: number, body: unknown, headers: Record<string, string> = {}): Response =>
  new Response(JSON.stringify(body), { status, headers: { "content-type": "application/json", ...headers } });
const text = (status: number, body: string, headers: Record<string, string> = {}): Response =>
  new Response(body, { status, headers: { "content-type": "text/html", ...headers } });

const telegramFault = (code: number, description: string, parameters?: object): Response =>
  json(code, { ok: false, error_code: code, description, ...(parameters ? { parameters } : {}) });

/** What each service says when it had too much, as its documentation shows it. */
const LIMITED: Record<ChatMessage["service"], (seconds: number) => Response> = {
  telegram: (s) => telegramFault(429, `Too Many Requests: retry after ${s}`, { retry_after: s }),
  slack: (s) => text(429, "rate_limited", { "retry-after": String(s) }),
  discord: (s) =>
    json(429, { message: "You are being rate limited.", retry_after: s, global: false }, { "retry-after": String(s) }),
  webhook: (s) => text(429, "", { "retry-after": String(s) }),
};

// biome-ignore lint/suspicious/noExplicitAny: bodies of four services
type Body = any;

function answerTelegram(path: string, body: Body): Response {
  if (!path.startsWith(`/bot${BOT_TOKEN}/`)) return telegramFault(401, "Unauthorized");
  if (body.chat_id !== CHAT_ID) return telegramFault(400, "Bad Request: chat not found");
  if (body.text.length > 4_096) return telegramFault(400, "Bad Request: message is too long");
  const isTorn = body.parse_mode === "HTML" && /<(?!\/?[bi]>)|&(?!(amp|lt|gt|quot);)/.test(body.text);
  if (isTorn) return telegramFault(400, "Bad Request: can't parse entities: unsupported start tag");
  return json(200, { ok: true, result: { message_id: 42, date: 1_767_225_600, chat: { id: Number(CHAT_ID) } } });
}

function answerDiscord(path: string, query: URLSearchParams, body: Body): Response {
  if (path !== DISCORD_PATH) return json(404, { message: "Unknown Webhook", code: 10015 });
  const isEmpty = !body.content && !body.embeds?.length;
  if (isEmpty || (body.content?.length ?? 0) > 2_000 || body.embeds?.length > 10) {
    return json(400, { message: "Invalid Form Body", code: 50035, errors: {} });
  }
  return query.get("wait") === "true"
    ? json(200, { id: "1445566778899001122", type: 0 })
    : new Response(null, { status: 204 });
}

function answerSlack(path: string, body: Body): Response {
  if (path !== SLACK_PATH) return text(404, "no_service");
  return typeof body.text === "string" && body.text !== "" ? text(200, "ok") : text(400, "no_text");
}

export function startChatServer(): ChatServer {
  let limited = { count: 0, seconds: 0 };
  const server = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    async fetch(request) {
      const { pathname, searchParams } = new URL(request.url);
      const body: Body = await request.json();
      const service = serviceOf(pathname);
      const headers = Object.fromEntries(request.headers);
      if (chat.isMute) {
        chat.messages.push({ service, body, headers, at: performance.now() });
        return new Promise<Response>(() => {});
      }
      if (limited.count > 0) {
        limited.count -= 1;
        return LIMITED[service](limited.seconds);
      }
      const answer = {
        telegram: () => answerTelegram(pathname, body),
        discord: () => answerDiscord(pathname, searchParams, body),
        slack: () => answerSlack(pathname, body),
        webhook: () => text(200, "thanks"),
      }[service]();
      if (answer.ok) chat.messages.push({ service, body, headers, at: performance.now() });
      return answer;
    },
  });
  const chat: ChatServer = {
    url: `http://127.0.0.1:${server.port}`,
    messages: [],
    isMute: false,
    limit(count, seconds) {
      limited = { count, seconds };
    },
    stop: () => server.stop(true),
  };
  return chat;
}

function serviceOf(path: string): ChatMessage["service"] {
  if (path.startsWith("/bot")) return "telegram";
  if (path.startsWith("/services/")) return "slack";
  return path.startsWith("/api/webhooks/") ? "discord" : "webhook";
}
