import { Value } from "@sinclair/typebox/value";
import { toIso } from "../../../../lib/clock.ts";
import { hours, minutes } from "../../../../lib/duration.ts";
import { parseJson } from "../../../../lib/json.ts";
import { fail, Notice, type NoticeKind, type Preview, type PreviewInput } from "../contract.ts";
import { type EnqueueDeps, writeTexts } from "../outbox/enqueue.ts";
import { findLatestNotice } from "../outbox/outbox-store.ts";
import { PROVIDERS } from "../providers/index.ts";
import { checkVariables, textInForce } from "./templates.ts";

/** A made-up alert with every field filled. */
function sampleNotice(kind: NoticeKind, now: number): Notice {
  const durationMs = kind === "fired" ? 0 : hours(3) + minutes(5);
  return {
    event_id: "evt_sample",
    type: "threshold",
    rule_id: "rul_sample",
    rule_name: "Disk almost full",
    severity: "critical",
    entity: "fs:/",
    entity_name: "/",
    metric: "used_percent",
    value: kind === "resolved" ? 71.2 : 93.4,
    threshold: 90,
    unit: "percent",
    message: kind === "resolved" ? "Space is free again." : "The disk at / is filling up.",
    started_at: toIso(now - durationMs),
    resolved_at: kind === "resolved" ? toIso(now) : null,
    peak: 95.1,
    duration_seconds: kind === "fired" ? null : durationMs / 1000,
    ...(kind === "fired" ? { changes: "In the hour before: Photos was updated (09:40 UTC)." } : {}),
  };
}

function noticeToShow({ db, clock }: EnqueueDeps, { kind, event_id }: PreviewInput): Notice {
  if (event_id === undefined) return sampleNotice(kind, clock.now());
  const notice: unknown = parseJson(findLatestNotice(db, event_id)?.notice ?? "");
  if (!Value.Check(Notice, notice)) throw fail("notice_not_found", { event_id });
  return notice;
}

/**
 * What a text makes of a real or made-up alert, in words and as it goes over the wire. Throws
 * `template_variable_unknown`, `notice_not_found`.
 */
export function previewTemplate(deps: EnqueueDeps, input: PreviewInput): Preview {
  const { kind, channel_type } = input;
  const current = textInForce(deps, kind, channel_type);
  const template = { subject: input.subject ?? current.subject, body: input.body ?? current.body };
  checkVariables(template);
  const notice = noticeToShow(deps, input);
  const { subject, body } = writeTexts(deps, kind, channel_type, notice, template);
  const provider = PROVIDERS[channel_type];
  const { payload, isCut } = provider.open(provider.example, null).render({
    key: "msg_preview",
    server: deps.identity.name(),
    sent_at: toIso(deps.clock.now()),
    entries: [{ kind, kinds: [kind], notice, subject, body, note: "" }],
    isPlain: false,
  });
  return { subject, body, payload, is_cut: isCut };
}
