import { afterEach, beforeEach, expect, test } from "bun:test";
import { createLinkPanel, type LinkPanel } from "../../../../tests/kit/link-panel.ts";
import { createTestNode, type TestNode } from "../../../../tests/kit/node-app.ts";
import { hours } from "../../../lib/duration.ts";
import { type PanelIdentity, signIdentity, verifyAssertion } from "../../../shared/panel-identity/index.ts";
import { readConnectLine } from "../panel-link/enrolment/connect-line.ts";

let node: TestNode;
let panel: LinkPanel;
let page: ReturnType<typeof Bun.serve>;
/** What the panel answers to the question who of its staff is let in; null when it does not answer. */
let open: string[] | null;
let asked: { tenant_id: string; client_id: string; client_assertion: string }[];

beforeEach(async () => {
  panel = await createLinkPanel();
  node = createTestNode();
  node.clock.jump(panel.clock.now() - node.clock.now());
  await node.tokenOf("admin");
  await node.ctx.panelLink.connect(readConnectLine(panel.line()), { by: "host", ip: "" });
  open = [];
  asked = [];
  const fetch = async (request: Request) => {
    asked.push((await request.json()) as (typeof asked)[number]);
    return open === null ? new Response("away", { status: 502 }) : Response.json({ open });
  };
  page = Bun.serve({ hostname: "127.0.0.1", port: 0, fetch });
  node.ctx.db.tx(() => node.ctx.db.raw.run("UPDATE panel_link SET panel_url = ?", [page.url.href]));
});
afterEach(async () => {
  node.close();
  await Promise.all([panel.away(), page.stop(true)]);
});

const link = () => node.ctx.panelLink.state() ?? (undefined as never);
let told = 0;
/** Somebody who came over the panel and made themselves a key. */
async function comeIn(more: Partial<PanelIdentity>) {
  const { secret, instance_id, tenant_id } = link();
  const person = { account_id: "acc_sam", email: "sam@panel.test", name: "Sam", role: "org_viewer" };
  const word = { tenant_id, id: `idt_${++told}`, ...person, ...more };
  const token = await signIdentity(secret, instance_id, word, node.clock.now());
  const arrived = await node.call(`GET /api/cp/session?token=${encodeURIComponent(token)}`, {});
  const cookie = arrived.headers
    .getSetCookie()
    .map((each) => each.split(";")[0])
    .join("; ");
  const origin = { cookie, origin: "http://localhost", host: "localhost" };
  const key = await node.call("POST /api/keys", { headers: origin, body: { name: "mine" } });
  const statusOf = async (route: string, headers: Record<string, string>, body?: unknown) =>
    (await node.call(route, { headers, body })).status;
  return {
    status: arrived.status,
    state: async () => [
      await statusOf("GET /api/auth/me", { cookie }),
      await statusOf("GET /api/auth/me", { "x-api-key": key.body.key }),
      await statusOf("POST /api/auth/refresh", origin, {}),
    ],
  };
}
const look = async () =>
  node.ctx.panelLink.jobs?.find(({ name }) => name === "panel.visits")?.run(new AbortController().signal);
const until = () => node.clock.now() + hours(1);
const IN = [200, 200, 200];
const OUT = [401, 401, 401];

test("staff of the panel is out when its time is over, with all that let it in, though the panel is away", async () => {
  open = null;
  const sam = await comeIn({ until: until() });
  await look();
  expect(await sam.state()).toEqual(IN);
  await node.clock.advance(hours(1));
  await look();
  expect(await sam.state()).toEqual(OUT);
  expect(node.events.map(({ name }) => name)).toEqual(
    expect.arrayContaining(["panel.visit_begun", "panel.visits_ended"]),
  );
});

test("it is out as soon as the panel says that the workspace lets it in no longer, and back by another permit", async () => {
  open = ["acc_sam"];
  const sam = await comeIn({ until: until() });
  const ada = await comeIn({ account_id: "acc_ada", email: "ada@example.org", role: "org_owner" });
  await look();
  expect(await sam.state()).toEqual(IN);
  const { secret, instance_id: nodeId, tenant_id } = link();
  expect(asked).toMatchObject([{ tenant_id, client_id: nodeId }]);
  const proof = { nodeId, audience: "/api/oauth/visits", now: node.clock.now() };
  expect(await verifyAssertion(secret, asked[0]?.client_assertion ?? "", proof)).toBe(true);
  open = [];
  await look();
  expect([await sam.state(), await ada.state()]).toEqual([OUT, IN]);
  await look();
  expect(asked).toHaveLength(2);
  open = ["acc_sam"];
  const again = await comeIn({ until: until() });
  await look();
  expect([await again.state(), await sam.state()]).toEqual([IN, OUT]);
});

test("who came as staff and comes as one of the workspace's own people stays", async () => {
  await comeIn({ until: until() });
  const own = await comeIn({});
  await look();
  expect(await own.state()).toEqual(IN);
});

test("a word whose visit is over lets nobody in", async () => {
  expect((await comeIn({ until: node.clock.now() })).status).toBe(401);
});
