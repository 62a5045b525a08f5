import { eachLine } from "./binary.ts";

/** One answer; the body is parsed when it is JSON. */
export interface Reply {
  status: number;
  headers: Headers;
  // Tests look into bodies freely; a wrong guess fails the test.
  // biome-ignore lint/suspicious/noExplicitAny: see above
  body: any;
}

/** One event of a stream. */
export interface StreamEvent {
  id: string;
  event: string;
  // biome-ignore lint/suspicious/noExplicitAny: as above
  data: any;
}

/** A signed-in user of one node over HTTP. */
export interface Client {
  url: string;
  token: string;
  /** `call("POST /api/apps", body)`. */
  call(route: string, body?: unknown, headers?: Record<string, string>): Promise<Reply>;
  /** As `call`, and throws unless the status is 2xx; returns the body. */
  // biome-ignore lint/suspicious/noExplicitAny: as above
  ok(route: string, body?: unknown): Promise<any>;
  /** Events of an SSE path until `isLast` says so or the stream ends; `onOpen` is called once the node answers. */
  stream(path: string, isLast: (event: StreamEvent) => boolean, onOpen?: () => void): Promise<StreamEvent[]>;
}

export const OWNER = { username: "owner", password: "correct horse battery" };

/** A client without credentials, or with the given token. */
export function createClient(url: string, token = ""): Client {
  const headers = (extra: Record<string, string> = {}) => ({
    ...extra,
    ...(token === "" ? {} : { authorization: `Bearer ${token}` }),
  });
  const call: Client["call"] = async (route, body, more = {}) => {
    const [method = "GET", path = "/"] = route.split(" ");
    const init: RequestInit = {
      method,
      headers: headers(body === undefined ? more : { "content-type": "application/json", ...more }),
    };
    if (body !== undefined) init.body = JSON.stringify(body);
    const response = await fetch(url + path, init);
    const text = await response.text();
    const isJson = response.headers.get("content-type")?.includes("json") ?? false;
    return { status: response.status, headers: response.headers, body: isJson ? JSON.parse(text) : text };
  };
  return {
    url,
    token,
    call,
    async ok(route, body) {
      const reply = await call(route, body);
      if (reply.status >= 200 && reply.status < 300) return reply.body;
      throw new Error(`${route} answered ${reply.status}: ${JSON.stringify(reply.body)}`);
    },
    async stream(path, isLast, onOpen) {
      const stop = new AbortController();
      const response = await fetch(url + path, {
        headers: headers({ accept: "text/event-stream" }),
        signal: stop.signal,
      });
      if (!response.ok || !response.body) throw new Error(`GET ${path} answered ${response.status}`);
      onOpen?.();
      return readEvents(response.body, isLast, () => stop.abort());
    },
  };
}

async function readEvents(
  body: ReadableStream<Uint8Array>,
  isLast: (event: StreamEvent) => boolean,
  close: () => void,
): Promise<StreamEvent[]> {
  const events: StreamEvent[] = [];
  let fields: Record<string, string> = {};
  let isOver = false;
  const reading = eachLine(body, (line) => {
    if (isOver) return;
    if (line !== "") {
      const field = /^(id|event|data): ?(.*)$/.exec(line);
      if (field?.[1]) fields[field[1]] = field[2] ?? "";
      return;
    }
    if (fields["data"] === undefined) return;
    const event = { id: fields["id"] ?? "", event: fields["event"] ?? "message", data: JSON.parse(fields["data"]) };
    fields = {};
    events.push(event);
    if (isLast(event)) {
      isOver = true;
      close();
    }
  });
  await reading.catch((error: unknown) => {
    if (!isOver) throw error;
  });
  return events;
}

/** Makes the owner account of a fresh node and signs in. */
export async function setUp(url: string, claimToken?: string): Promise<Client> {
  await createClient(url).ok("POST /api/auth/setup", {
    ...OWNER,
    ...(claimToken === undefined ? {} : { claim_token: claimToken }),
  });
  return signIn(url);
}

/** Signs the owner, or somebody else, in. */
export async function signIn(url: string, account = OWNER): Promise<Client> {
  const { access_token } = await createClient(url).ok("POST /api/auth/login", account);
  return createClient(url, access_token);
}
