import { expect, test } from "bun:test";
import { askDuringClaim } from "../../../../tests/kit/ask-during-claim.ts";
import { suite } from "../../../../tests/kit/env.ts";
import { nodeFacts } from "../../../../tests/kit/node-facts.ts";
import { createTestPanel } from "../../../../tests/kit/panel-app.ts";
import { createTestNodes } from "../../../../tests/kit/panel-nodes.ts";
import { panelDatabases } from "../../../../tests/kit/sql-databases.ts";
import { createStranger, MAILING } from "../../../../tests/kit/stranger.ts";
import { challengeOf } from "../../../shared/panel-identity/index.ts";

const REDIRECT = "https://node-1.example.org/api/oauth/callback";

suite(
  "codes for nodes that a stranger asks for while the owner of the address claims the account",
  ["postgres"],
  () => {
    const databases = panelDatabases("postgres");

    test("are not made", async () => {
      const panel = await createTestPanel(await databases.open(), MAILING);
      const stranger = await createStranger(panel, true);
      const { tenant_id } = stranger;
      await createTestNodes(panel).enrol(tenant_id, "node-1");
      panel.live.put(nodeFacts(1, { tenant_id, inventory: { sign_in_urls: [REDIRECT] } }));
      const { answer } = await askDuringClaim(panel, panel.ctx.lists.ways, stranger, () =>
        stranger.call("POST /api/oauth/authorize/consent", stranger.token, {
          ...{ response_type: "code", client_id: "node-1", redirect_uri: REDIRECT, state: "state-of-the-node" },
          ...{ code_challenge: challengeOf("a-verifier-of-the-length-that-the-standard-asks-for") },
          ...{ code_challenge_method: "S256", approve: true },
        }),
      );
      expect(answer.status).toBe(401);
      expect(await panel.system.all("SELECT 1 FROM oauth_codes")).toEqual([]);
    });
  },
);
