/** Chat channels: rooms of Slack, Mattermost, Discord or Teams that hear what the people of a workspace should know of. */
import { defineFeature, type Part } from "../../../kernel/feature.ts";
import { minutes, seconds } from "../../../lib/duration.ts";
import { bindRoutes } from "../../route.ts";
import {
  addChannel,
  changeChannel,
  listOwn,
  removeAll,
  removeChannel,
  takeOverChannel,
  testChannel,
} from "./channels.ts";
import { chatChannelRoutes, fail } from "./contract.ts";
import { createDelivery } from "./deliver.ts";
import { chatChannelMeanings } from "./events.ts";
import init from "./migrations/0001_chat_channels.sql" with { type: "text" };
import off from "./migrations/0002_severity_and_off.sql" with { type: "text" };
import makers from "./migrations/0003_makers.sql" with { type: "text" };
import pauses from "./migrations/0004_pauses.sql" with { type: "text" };
import type { Needs } from "./needs.ts";
import { tellPauses } from "./pauses.ts";
import { findLanguage, insertWaiting } from "./store.ts";
import { createTestLimits } from "./test-limits.ts";

export const chatChannelsFeature = defineFeature({
  name: "chat-channels",
  migrations: [init, off, makers, pauses],
  errors: fail.table,
  events: chatChannelMeanings,
});

export function createChatChannels(own: Needs): Part {
  const { bus, meanings, clock, ids } = own;
  const takeTest = createTestLimits(clock);
  const routes = bindRoutes(chatChannelRoutes, {
    "GET /api/chat-channels": async ({ actor }) => ({ items: await listOwn(own, actor) }),
    "POST /api/chat-channels": ({ actor, ip, body }) => addChannel(own, actor, ip, body),
    "PUT /api/chat-channels/{id}": ({ actor, ip, params, body }) => changeChannel(own, actor, ip, params.id, body),
    async "DELETE /api/chat-channels/{id}"({ actor, ip, params, set }) {
      await removeChannel(own, actor, ip, params.id);
      set.status = 204;
    },
    "POST /api/chat-channels/{id}/take-over": ({ actor, ip, params }) => takeOverChannel(own, actor, ip, params.id),
    async "POST /api/chat-channels/{id}/test"({ actor, params, set }) {
      await testChannel(own, actor, params.id, () => takeTest(actor.tenant_id));
      set.status = 204;
    },
  });
  own.lists.grants.add((tx, ousted) => removeAll(own, tx, ousted));
  return {
    feature: chatChannelsFeature,
    routes: [routes],
    jobs: [
      { name: "chat-channels.deliver", everyMs: seconds(5), run: createDelivery(own) },
      { name: "chat-channels.pauses", everyMs: minutes(1), run: (signal) => tellPauses(own, signal) },
    ],
    subscribe: () =>
      void bus.onEmit(async (tx, name, event) => {
        const told = meanings.get(name)?.notice?.(event) ?? [];
        for (const notice of "kind" in told ? [told] : told) {
          if (!("permission" in notice.to)) continue;
          const { severity, words, link } = notice;
          const { tenant_id } = event.by;
          const said = words[await findLanguage(tx, tenant_id)];
          const row = { ...said, id: ids.next("cwt"), severity, link, queued_at: clock.now() };
          await insertWaiting(tx, tenant_id, notice.kind, row);
        }
      }),
  };
}
