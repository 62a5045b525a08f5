import * as channelStore from "../channels/channel-store.ts";
import { isPaused } from "../channels/paused.ts";
import type { ChannelType, Notice, NoticeKind, NoticeRequest } from "../contract.ts";
import type { Needs } from "../needs.ts";
import { fillLine, fillTemplate } from "../texts/fill.ts";
import { eventLink } from "../texts/place.ts";
import { textInForce } from "../texts/templates.ts";
import { valuesOf } from "../texts/variables.ts";
import { insertNotice, wasTold } from "./outbox-store.ts";

export type EnqueueDeps = Pick<Needs, "db" | "clock" | "settings" | "host" | "listening" | "identity" | "lists">;

/** The texts of one notice for one type of channel, as they stay whatever happens later. */
export function writeTexts(
  deps: EnqueueDeps,
  kind: NoticeKind,
  type: ChannelType,
  notice: Notice,
  template = textInForce(deps, kind, type),
): { subject: string; body: string } {
  const values = valuesOf(kind, notice, {
    server: deps.identity.name(),
    link: eventLink(deps, notice.event_id),
    now: deps.clock.now(),
  });
  return { subject: fillLine(template.subject, values), body: fillTemplate(template.body, values) };
}

/**
 * Queues a notice for its channels inside the caller's transaction: what is committed with it will be delivered, also
 * after a crash. A channel hears that an event fired once and that it is over once, and of the end only when it was told
 * of the beginning. Channels that are unknown, switched off or paused are passed over.
 */
export function enqueueNotice(deps: EnqueueDeps, { kind, notice, channel_ids }: NoticeRequest): void {
  const { db, clock } = deps;
  db.tx(() => {
    for (const channel of channelStore.listChannels(db)) {
      if (channel.enabled === 0 || isPaused(deps, channel)) continue;
      if (channel_ids !== "all" && !channel_ids.includes(channel.id)) continue;
      if (kind === "resolved" && !wasTold(db, channel.id, notice.event_id)) continue;
      insertNotice(db, {
        channel_id: channel.id,
        event_id: notice.event_id,
        kind,
        notice: JSON.stringify(notice),
        ...writeTexts(deps, kind, channel.type, notice),
        is_test: 0,
        queued_at: clock.now(),
      });
    }
  });
}
