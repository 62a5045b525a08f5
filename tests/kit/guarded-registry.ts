import { testEnv } from "./env.ts";

/** Lets through to the test registry only who has logged in, as registries of companies do. */
export interface GuardedRegistry {
  /** host:port, plain HTTP on loopback. */
  address: string;
  username: string;
  password: string;
  /** What the registry asks next: `basic` logins, `bearer` tokens that it hands out for a login, or that questions come less often. */
  asks: "basic" | "bearer" | "later";
  /** Every login that came in, as `user:password`. */
  logins: string[];
  stop(): Promise<void>;
}

const TOKEN = "a-token-for-a-while";

/** Starts one in front of the test registry, with images of the same names. */
export function startGuardedRegistry(asks: GuardedRegistry["asks"]): GuardedRegistry {
  const guard = { username: "ada", password: "open sesame", asks, logins: [] as string[] };
  const loginOf = (request: Request): string | null => {
    const [kind, value = ""] = (request.headers.get("authorization") ?? "").split(" ");
    if (kind !== "Basic") return null;
    const login = Buffer.from(value, "base64").toString();
    guard.logins.push(login);
    return login;
  };
  const isRight = (login: string | null) => login === `${guard.username}:${guard.password}`;
  const refuse = (challenge: string) =>
    Response.json(
      { errors: [{ code: "UNAUTHORIZED", message: "authentication required" }] },
      { status: 401, headers: { "www-authenticate": challenge, "docker-distribution-api-version": "registry/2.0" } },
    );
  const server = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    async fetch(request) {
      const { pathname, search, host } = new URL(request.url);
      if (guard.asks === "later") return Response.json({ errors: [{ code: "TOOMANYREQUESTS" }] }, { status: 429 });
      const login = loginOf(request);
      if (pathname === "/token")
        return isRight(login) ? Response.json({ token: TOKEN }) : refuse(`Basic realm="the registry"`);
      if (guard.asks === "basic" && !isRight(login)) return refuse(`Basic realm="the registry"`);
      if (guard.asks === "bearer" && request.headers.get("authorization") !== `Bearer ${TOKEN}`)
        return refuse(`Bearer realm="http://${host}/token",service="guarded"`);
      const accept = request.headers.get("accept");
      const { status, headers, body } = await fetch(`http://${testEnv().registry}${pathname}${search}`, {
        method: request.method,
        headers: accept === null ? {} : { accept },
      });
      return new Response(body, { status, headers });
    },
  });
  return Object.assign(guard, { address: `127.0.0.1:${server.port}`, stop: () => server.stop(true) });
}
