/** One request that a receiver of webhooks got. */
export interface Received {
  path: string;
  headers: Headers;
  body: string;
  // Tests look into bodies freely; a wrong guess fails the test.
  // biome-ignore lint/suspicious/noExplicitAny: see above
  json: any;
}

/** A receiver of webhooks on loopback. */
export interface Receiver {
  url: string;
  got: Received[];
  /** How it answers from now on; 200 unless told. */
  answer: (request: Received) => Response | Promise<Response>;
  stop(): Promise<void>;
}

/** Starts a receiver that keeps everything it gets. */
export function startReceiver(): Receiver {
  const receiver: Receiver = {
    url: "",
    got: [],
    answer: () => new Response("ok"),
    stop: () => server.stop(true),
  };
  const server = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    idleTimeout: 0,
    async fetch(request) {
      const body = await request.text();
      const { pathname } = new URL(request.url);
      const received = { path: pathname, headers: request.headers, body, json: JSON.parse(body) };
      receiver.got.push(received);
      return receiver.answer(received);
    },
  });
  receiver.url = `http://127.0.0.1:${server.port}/hook`;
  return receiver;
}
