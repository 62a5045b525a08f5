import type { Role } from "../../src/node/access.ts";
import { createTestNode, type TestNode } from "./node-app.ts";
import { closeStorageNode } from "./storage-node.ts";

/** Bytes or text of a request. */
export type Body = NonNullable<RequestInit["body"]>;

/** What a WebDAV request brings. */
export interface DavOptions {
  headers?: Record<string, string>;
  body?: Body;
}

/** The answer to one, with its body as text. */
export interface DavAnswer {
  status: number;
  headers: Headers;
  text: string;
}

/** A node with a WebDAV password of somebody. */
export interface DavNode {
  node: TestNode;
  /** `dav("PUT /a.txt", { body })`, below the Drive. */
  dav(request: string, options?: DavOptions): Promise<DavAnswer>;
  /** The same as somebody of that role. */
  as(role: Role): Promise<(request: string, options?: DavOptions) => Promise<DavAnswer>>;
  close(): Promise<void>;
}

/** Opens one; with `restartOf` it goes on with another one's data and passwords. */
export async function openDavNode(restartOf?: TestNode): Promise<DavNode> {
  const node = createTestNode(
    { s3_listen: "127.0.0.1:0", anonymous_rate: "1000000", session_rate: "1000000" },
    restartOf,
  );
  async function as(role: Role) {
    const { body } = await node.call("POST /api/drive/webdav-passwords", { as: role, body: { name: "test" } });
    const authorization = `Basic ${btoa(`${body.username}:${body.password}`)}`;
    return async (request: string, { headers = {}, body: sent }: DavOptions = {}): Promise<DavAnswer> => {
      const [method = "", path = ""] = request.split(/ (.*)/);
      const made = new Request(`http://localhost/dav/drive${path}`, {
        method,
        headers: { host: "localhost", authorization, ...headers },
        ...(sent === undefined ? {} : { body: sent }),
      });
      const answer = await node.fetch(made);
      return { status: answer.status, headers: answer.headers, text: await answer.text() };
    };
  }
  return {
    node,
    as,
    dav: await as("admin"),
    close: () => closeStorageNode(node),
  };
}

/** The body of a request for a lock. */
export const lockInfo = (scope = "exclusive"): string =>
  `<D:lockinfo xmlns:D="DAV:"><D:lockscope><D:${scope}/></D:lockscope><D:locktype><D:write/></D:locktype>` +
  "<D:owner><D:href>ada</D:href></D:owner></D:lockinfo>";
