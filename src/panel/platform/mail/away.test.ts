import { afterEach, beforeEach, expect, test } from "bun:test";
import { createTestPanel, type TestPanel } from "../../../../tests/kit/panel-app.ts";
import { type SmtpServer, startSmtpServer } from "../../../../tests/kit/smtp-server.ts";
import { onEachEngine, panelDatabases } from "../../../../tests/kit/sql-databases.ts";
import type { SqlDb, SqlValue } from "../../../kernel/sql/port.ts";

const HOUR = 3_600_000;

/** What becomes of a database: no question gets through, or the answer of the next commit does not. */
interface Fate {
  isAway: boolean;
  losesAnswer: boolean;
  /** Done once a row is read, before anybody is told it. */
  reading: (sql: string) => Promise<void>;
}

/** The same database with such a fate. */
function fated(db: SqlDb, fate: Fate): SqlDb {
  const reached = <T>(ask: () => Promise<T>): Promise<T> =>
    fate.isAway ? Promise.reject(new Error("the database is away")) : ask();
  return {
    engine: db.engine,
    all: (sql, values) => reached(() => db.all(sql, values)),
    async get<Row>(sql: string, values?: readonly SqlValue[]) {
      const row = await reached(() => db.get<Row>(sql, values));
      await fate.reading(sql);
      return row;
    },
    run: (sql, values) => reached(() => db.run(sql, values)),
    async tx(fn) {
      const done = await reached(() => db.tx(fn));
      if (!fate.losesAnswer) return done;
      fate.losesAnswer = false;
      throw new Error("the answer is lost");
    },
    scoped: (settings, whose) => fated(db.scoped(settings, whose), fate),
    guarded: (guard) => fated(db.guarded(guard), fate),
    close: () => db.close(),
  };
}

onEachEngine("mail while the database goes away", (engine) => {
  const databases = panelDatabases(engine);
  let server: SmtpServer;
  let panel: TestPanel;
  let fate: Fate;
  /** What is done as a letter is noted. */
  let noting = (_address: string): void => {};
  beforeEach(async () => {
    server = await startSmtpServer();
    fate = { isAway: false, losesAnswer: false, reading: async () => {} };
    noting = () => {};
    panel = await createTestPanel(fated(await databases.open(), fate), {
      smtp_url: `smtp+plain://127.0.0.1:${server.port}`,
      mail_from: "panel@panel.test",
      public_url: "https://panel.test",
    });
    const letter = {
      language: "en",
      workspace: "",
      subject: "Told",
      greeting: "",
      paragraphs: [],
      footer: "",
    } as const;
    panel.ctx.lists.letters.add({
      kind: "told",
      write: async () => ({ ...letter, action: null }),
      sent: async (_tx, address) => noting(address),
    });
  });
  afterEach(() => server.stop());

  const send = () => panel.runJob("mail.send");
  const queue = (...names: string[]) =>
    panel.system.tx(async (tx) => {
      for (const name of names) {
        const to = `${name}@example.org`;
        await panel.ctx.mail.queue(tx, { kind: "told", tenantId: null, to, facts: {}, lifetimeMs: HOUR });
      }
    });
  const receivers = () =>
    server.sessions.flatMap(({ commands }) => commands.flatMap((line) => /^RCPT TO:<(\w+)@/.exec(line)?.[1] ?? []));
  const stateOf = async (name: string) => (await panel.ctx.mail.findOutcome(null, `${name}@example.org`))?.state;
  const leave = (): never => {
    fate.isAway = true;
    throw new Error("the connection is gone");
  };

  test("a letter that was taken as the database went away does not go again, and all others go soon after it is back", async () => {
    await queue("ada", "bob", "carol");
    noting = (address) => void (address.startsWith("bob") && leave());
    await send();
    await panel.clock.advance(10_000);
    await send();
    expect(receivers()).toEqual(["ada", "bob"]);
    fate.isAway = false;
    noting = () => {};
    await panel.clock.advance(10_000);
    await send();
    expect(receivers()).toEqual(["ada", "bob", "carol"]);
    expect(await Promise.all(["ada", "bob", "carol"].map(stateOf))).toEqual(["sent", "sent", "sent"]);
  });

  test("a letter that was noted, though nobody was told so, is not noted again", async () => {
    await queue("ada");
    const noted: string[] = [];
    noting = (address) => {
      noted.push(address);
      fate.losesAnswer = noted.length === 1;
    };
    await send();
    await panel.clock.advance(10_000);
    await send();
    expect([noted.length, receivers()]).toEqual([1, ["ada"]]);
  });

  test("where nothing can be noted, a few letters go and then none, until one can be", async () => {
    await queue(...Array.from({ length: 30 }, (_, at) => `guest${at}`));
    noting = () => {
      throw new Error("the disk is full");
    };
    for (let run = 0; run < 40; run++) {
      await send();
      await panel.clock.advance(10_000);
    }
    expect([receivers().length, new Set(receivers()).size]).toEqual([20, 20]);
    noting = () => {};
    for (let run = 0; run < 3; run++) {
      await send();
      await panel.clock.advance(10_000);
    }
    expect([receivers().length, new Set(receivers()).size]).toEqual([30, 30]);
  });

  test("a letter that comes just after it was asked when the next is due does not wait for that", async () => {
    await queue("ada");
    fate.reading = async (sql) => {
      if (!sql.includes("MIN(due_at)")) return;
      fate.reading = async () => {};
      await queue("bob");
    };
    await send();
    await send();
    expect(receivers()).toEqual(["ada", "bob"]);
  });
});
