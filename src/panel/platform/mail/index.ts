/** Mail: a queue on disk, sent through the operator's mail server as soon as that takes it. */
import { defineFeature, type Part } from "../../../kernel/feature.ts";
import { seconds } from "../../../lib/duration.ts";
import type { SystemTx } from "../../data/tenant-db.ts";
import type { Language } from "../../languages.ts";
import { createDelivery, type Sender, sendNow } from "./deliver.ts";
import init from "./migrations/0001_mail.sql" with { type: "text" };
import type { Needs } from "./needs.ts";
import { findQueue, insertMail } from "./store.ts";
import { writeTest } from "./words.ts";

export { createMailCommand, type MailCommandNeeds } from "./commands.ts";

export const mailFeature = defineFeature({ name: "mail", migrations: [init] });

/** A letter to be sent. */
export interface Mail {
  /** Who writes it; see `lists.letters`. */
  kind: string;
  to: string;
  /** What its writer needs; it stands in the database as it is, so it holds no secret. */
  facts: Record<string, string>;
  /** Milliseconds after which it is of no use any more. */
  lifetimeMs: number;
}

export interface Mailing extends Part {
  /** What is missing before mail can be sent, as variables of the environment; empty when it can. */
  missing(): string[];
  /** Puts a letter into the queue, in the caller's transaction. */
  queue(tx: SystemTx, mail: Mail): Promise<void>;
  /** Sends a test letter now. Throws what the mail server answered. */
  sendTest(to: string, language: Language): Promise<void>;
}

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
  if (delivery)
    lists.measures.add(async () => [
      {
        name: "orrery_panel_mail_waiting",
        help: "Letters that are not sent yet",
        type: "gauge",
        figures: [{ value: (await findQueue(system)).waiting }],
      },
    ]);
  return {
    feature: mailFeature,
    jobs: delivery ? [{ name: "mail.send", everyMs: seconds(2), run: delivery.run }] : [],
    start() {
      if (config.smtp_url !== null && missing.length > 0)
        log.warn("mail is off until everything that it needs is set", { missing: missing.join(", ") });
    },
    missing: () => missing,
    async queue(tx, { kind, to, facts, lifetimeMs }) {
      const now = clock.now();
      const row = { id: ids.next("mail"), kind, address: to, facts: JSON.stringify(facts), tries: 0 };
      await insertMail(tx, { ...row, due_at: now, expires_at: now + lifetimeMs });
      tx.afterCommit(() => delivery?.wake());
    },
    async sendTest(to, language) {
      if (sender === null) throw new Error(`mail is off: set ${missing.join(", ")} first`);
      await sendNow(needs, sender, to, ids.next("mail"), writeTest(language, config.public_url));
    },
  };
}
