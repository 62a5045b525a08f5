import { afterEach, beforeAll } from "bun:test";
import { createTestPanel, type Person, type TestPanel } from "./panel-app.ts";
import { panelDatabases } from "./sql-databases.ts";

export const SCIM_USER = "urn:ietf:params:scim:schemas:core:2.0:User";
export const SCIM_PATCH = "urn:ietf:params:scim:api:messages:2.0:PatchOp";

/** A workspace with a proven domain and a directory of its own; `texts` is what the DNS of the panel answers. */
export async function makeDirectory(panel: TestPanel, texts: Map<string, string[]>, name: string) {
  const host = `${name}.example`;
  const owner = await panel.join(name);
  const call = (route: string, body?: unknown, person: Person = owner) =>
    panel.call(route, { token: person.token, ...(body === undefined ? {} : { body }) });
  const domain = (await call("POST /api/domains", { host })).body;
  texts.set(domain.txt_name, [domain.txt_value]);
  await call(`POST /api/domains/${domain.id}/verify`);
  const made = (await call("POST /api/scim/tokens", { name: "Entra" })).body;
  const scim = (route: string, body?: unknown, token: string = made.token) =>
    panel.call(route.replace(" /", " /scim/v2/"), {
      token,
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      headers: { "content-type": "application/scim+json" },
    });
  const addUser = async (login: string, more: Record<string, unknown> = {}) => {
    const answer = await scim("POST /Users", {
      schemas: [SCIM_USER],
      ...{ userName: `${login}@${host}`, externalId: `ext-${login}`, name: { givenName: login, familyName: "Test" } },
      ...{ emails: [{ primary: true, type: "work", value: `${login}@${host}` }], active: true, ...more },
    });
    return answer.body;
  };
  const roleOf = async (id: string) =>
    (await call("GET /api/team/members")).body.find((member: { id: string }) => member.id === id)?.role;
  return { owner, host, call, scim, addUser, roleOf, tokenId: made.id, token: made.token as string };
}

/** For the tests of one engine: a panel that has the real time before each, and directories at it. */
export function useDirectories(engine: Parameters<typeof panelDatabases>[0]) {
  const databases = panelDatabases(engine);
  const texts = new Map<string, string[]>();
  const own = {} as { panel: TestPanel };
  let count = 0;
  beforeAll(async () => {
    own.panel = await createTestPanel(
      await databases.open(),
      { default_plan: "business", public_url: "http://localhost" },
      async (name) => texts.get(name) ?? [],
    );
  });
  afterEach(() => own.panel.clock.jump(Date.now() - own.panel.clock.now()));
  return {
    panel: () => own.panel,
    /** How many were made so far, for names that nobody else has. */
    worlds: () => count,
    makeWorld() {
      count += 1;
      return makeDirectory(own.panel, texts, `company${count}`);
    },
  };
}
