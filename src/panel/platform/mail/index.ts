/** Mail: a queue on disk, sent through the operator's mail server as soon as that takes it. */
import { defineFeature } from "../../../kernel/feature.ts";
import { days, hours, seconds } from "../../../lib/duration.ts";
import { isStandIn } from "../../addresses.ts";
import { createDelivery, type Sender, sendNow } from "./deliver.ts";
import type { Mailing } from "./mailing.ts";
import { measureMail } from "./measure.ts";
import init from "./migrations/0001_mail.sql" with { type: "text" };
import outcomes from "./migrations/0002_mail_outcomes.sql" with { type: "text" };
import turns from "./migrations/0003_mail_turns.sql" with { type: "text" };
import type { Needs } from "./needs.ts";
import { presentOutcome } from "./outcome.ts";
import * as store from "./outcome-store.ts";
import { insertMail } from "./store.ts";
import { writeTest } from "./words.ts";

export { createMailCommands, type MailCommandNeeds } from "./commands.ts";
export type { Mailing } from "./mailing.ts";
export { type OutcomeColumns, readOutcome } from "./outcome.ts";
export { isUnreachable, joinOutcome, OUTCOME_COLUMNS } from "./outcome-store.ts";

/** How long it is known what became of a letter, and of how many addresses. */
const KEPT_MS = days(30);
const OUTCOMES_MAX = 100_000;

export const mailFeature = defineFeature({ name: "mail", migrations: [init, outcomes, turns] });

export function createMail(needs: Needs): Mailing {
  const { config, clock, ids, log, system, lists } = needs;
  const absent: [value: unknown, name: string][] = [
    [config.smtp_url, "CP_SMTP_URL"],
    [config.mail_from, "CP_MAIL_FROM"],
    [config.public_url, "CP_PUBLIC_URL"],
  ];
  const missing = absent.filter(([value]) => !value).map(([, name]) => name);
  const sender: Sender | null =
    config.smtp_url === null || missing.length > 0 ? null : { server: config.smtp_url, from: config.mail_from };
  const delivery = sender && createDelivery(needs, sender);
  if (delivery) lists.measures.add(() => measureMail(system, delivery.counts));
  return {
    feature: mailFeature,
    jobs: [
      ...(delivery ? [{ name: "mail.send", everyMs: seconds(2), run: delivery.run }] : []),
      {
        name: "mail.forget",
        everyMs: hours(1),
        run: () => store.deleteOldOutcomes(system, clock.now() - KEPT_MS, OUTCOMES_MAX),
      },
    ],
    start() {
      if (config.smtp_url !== null && missing.length > 0)
        log.warn("mail is off until everything that it needs is set", { missing: missing.join(", ") });
    },
    missing: () => missing,
    async queue(tx, { kind, tenantId, to, facts, lifetimeMs }) {
      if (isStandIn(to)) return;
      const now = clock.now();
      const key = { tenant_id: tenantId ?? "", address: to };
      const id = ids.next("mail");
      const row = { ...key, id, kind, facts: JSON.stringify(facts), tries: 0 };
      await insertMail(tx, { ...row, due_at: now, expires_at: now + lifetimeMs });
      await store.beginOutcome(tx, { ...key, letter_id: id }, now);
      tx.afterCommit(() => delivery?.wake());
    },
    async findOutcome(tenantId, address) {
      const row = await store.findOutcome(system, tenantId ?? "", address);
      return row && presentOutcome(row);
    },
    listUntaken: (address, limit) => store.listUntaken(system, address, limit),
    forgetAddress: async (address) => (await store.forgetAddress(system, address)) > 0,
    async sendTest(to, language) {
      if (sender === null) throw new Error(`mail is off: set ${missing.join(", ")} first`);
      await sendNow(needs, sender, to, ids.next("mail"), writeTest(language, config.public_url));
    },
  };
}
