import { addAccount, bearer } from "./accounts.ts";
import type { Answer, TestNode } from "./node-app.ts";

/** An admin besides the one that `call` with `as: "admin"` is, who can lose what they may do. */
export async function withSecondAdmin(
  node: TestNode,
): Promise<{ id: string; call(route: string, body?: unknown): Promise<Answer> }> {
  const { id } = await addAccount(node, "second");
  const { session_id } = node.ctx.sessions.begin(id, { ip: "127.0.0.1", device: "test" });
  const headers = bearer(await node.ctx.sessions.tokens.sign(id, session_id));
  return { id, call: (route, body) => node.call(route, { headers, body }) };
}
