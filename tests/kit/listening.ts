import type { AnyElysia } from "elysia";

/** A program that answers on a port of this machine until it is stopped. */
export interface Listening {
  port: number;
  stop(): Promise<void>;
}

/** Lets a built program listen as the real one does. */
export function listenWith(app: AnyElysia): Listening {
  app.listen({ hostname: "127.0.0.1", port: 0, reusePort: false });
  return { port: app.server?.port ?? 0, stop: async () => app.server?.stop(true) };
}
