import { expect, test } from "bun:test";
import fc from "fast-check";
import { createFakeOutgoing } from "../../../../../tests/kit/fake-outgoing.ts";
import { createTestNode, type TestNode } from "../../../../../tests/kit/node-app.ts";
import { makeNotice } from "../../../../../tests/kit/notices.ts";
import { runs } from "../../../../../tests/kit/runs.ts";
import { releaseClaims } from "./drain.ts";

const HOSTS = ["a", "b", "c"] as const;
type Host = (typeof HOSTS)[number];
/** How a receiver behaves: `lost` takes the message and loses the answer, `dead` is a kill while it is on its way. */
const MOODS = ["good", "good", "good", "down", "busy", "refuses", "lost", "dead"] as const;

const step = fc.oneof(
  { weight: 4, arbitrary: fc.record({ do: fc.constant("fire" as const), event: fc.nat(5) }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant("end" as const), event: fc.nat(5) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("remind" as const), event: fc.nat(5) }) },
  {
    weight: 5,
    arbitrary: fc.record({ do: fc.constant("pass" as const), seconds: fc.constantFrom(3, 31, 70, 400, 4_000) }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant("mood" as const),
      host: fc.constantFrom(...HOSTS),
      mood: fc.constantFrom(...MOODS),
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("restart" as const) }) },
  {
    weight: 1,
    arbitrary: fc.record({ do: fc.constant("jump" as const), hours: fc.constantFrom(-20_000, -1, 1, 20_000) }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("abort" as const), event: fc.nat(5) }) },
);

/** A node over one database that is killed and started again, with three receivers that come and go. */
async function createWorld() {
  const world = createFakeOutgoing();
  let node: TestNode = createTestNode({ session_rate: "1000000" }, undefined, { outgoing: world });
  const first = node;
  const moods: Record<Host, (typeof MOODS)[number]> = { a: "good", b: "good", c: "good" };
  const got: { host: Host; texts: string[] }[] = [];
  let kills = 0;
  let losses = 0;
  const host = (url: string): Host => HOSTS.find((name) => url.includes(`//${name}.`)) ?? "a";

  world.answer = async ({ url, body }) => {
    const name = host(url);
    const mood = moods[name];
    if (mood === "down") return "connect";
    if (mood === "busy") return { status: 429, headers: { "retry-after": "20" } };
    if (mood === "refuses") return 400;
    const { notices }: { notices: { kinds: string[]; event_id: string }[] } = JSON.parse(String(body));
    got.push({
      host: name,
      texts: notices.flatMap(({ kinds, event_id }) => kinds.map((kind) => `${kind} ${event_id}`)),
    });
    if (mood === "lost") {
      losses += 1;
      return "timeout";
    }
    if (mood !== "dead") return 200;
    kills += 1;
    moods[name] = "good";
    return new Promise<number>(() => {});
  };
  releaseClaims(node.ctx);
  for (const name of HOSTS) {
    const body = { name, type: "webhook", config: { url: `https://${name}.example/` } };
    await node.call("POST /api/alerting/channels", { as: "admin", body });
  }
  return {
    moods,
    got,
    repeatable: () => kills + losses,
    ctx: () => node.ctx,
    clock: first.clock,
    restart() {
      node = createTestNode({ session_rate: "1000000" }, first, { outgoing: world });
      releaseClaims(node.ctx);
    },
    /** Sends what is due; when a receiver never answers, the program is killed. */
    async run() {
      const before = kills;
      const done = node.ctx.jobs.run("alert-channels.deliver");
      for (let turn = 0; turn < 30; turn++) await Promise.resolve();
      if (kills > before) return this.restart();
      await done;
    },
    /** What was given up because the receiver refused it while it took others: `a fired evt_1`. */
    givenUp: () =>
      node.ctx.db.raw
        .query<{ text: string }, []>(
          `SELECT name || ' ' || kind || ' ' || event_id AS text FROM alert_outbox
           JOIN alert_channels ON alert_channels.id = channel_id WHERE state = 'refused'`,
        )
        .all()
        .map(({ text }) => text),
    queued: () =>
      node.ctx.db.raw.query<{ n: number }, []>("SELECT count(*) AS n FROM alert_outbox WHERE state = 'queued'").get()
        ?.n,
    close: () => first.close(),
  };
}

test("whatever fails, every channel hears of each beginning and each end once, in order", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 60 }), async (steps) => {
      const w = await createWorld();
      const open = new Map<number, string>();
      const told: string[] = [];
      let episodes = 0;
      const queue = (kind: "fired" | "resolved" | "reminder", event_id: string) =>
        w.ctx().channels.enqueue({ kind, notice: makeNotice({ event_id }), channel_ids: "all" });

      for (const each of steps) {
        if (each.do === "fire" && !open.has(each.event)) {
          const id = `evt_${episodes++}`;
          open.set(each.event, id);
          queue("fired", id);
          told.push(`fired ${id}`);
        }
        if (each.do === "end") {
          const id = open.get(each.event);
          open.delete(each.event);
          // The engine may say it twice; the channel must not.
          if (id !== undefined) for (const _ of [1, 2]) queue("resolved", id);
          if (id !== undefined) told.push(`resolved ${id}`);
        }
        const reminded = each.do === "remind" ? open.get(each.event) : undefined;
        if (reminded !== undefined) queue("reminder", reminded);
        if (each.do === "abort") {
          const rollBack = () =>
            w.ctx().db.tx(() => {
              queue("fired", "evt_never");
              throw new Error("rolled back");
            });
          expect(rollBack).toThrow();
        }
        if (each.do === "mood") w.moods[each.host] = each.mood;
        if (each.do === "jump") w.clock.jump(each.hours * 3_600_000);
        if (each.do === "restart") w.restart();
        if (each.do === "pass") {
          await w.clock.advance(each.seconds * 1000);
          await w.run();
        }
      }
      for (const name of HOSTS) w.moods[name] = "good";
      for (let turn = 0; turn < 40 && (w.queued() ?? 0) > 0; turn++) {
        await w.clock.advance(4_000_000);
        await w.run();
      }

      const channelWords = /^(fired|resolved) evt_\d+$/;
      let repeated = 0;
      for (const name of HOSTS) {
        const texts = w.got.filter(({ host }) => host === name).flatMap((message) => message.texts);
        const heard = texts.filter((text) => channelWords.test(text) && told.includes(text));
        const owed = told.filter((text) => heard.includes(text) || !w.givenUp().includes(`${name} ${text}`));
        expect([name, [...new Set(heard)].sort()]).toEqual([name, owed.sort()]);
        repeated += heard.length - new Set(heard).size > 0 ? 1 : 0;
        for (const text of told.filter((one) => one.startsWith("resolved"))) {
          const end = heard.indexOf(text);
          if (end !== -1) expect(heard.indexOf(text.replace("resolved", "fired"))).toBeLessThan(end);
        }
        expect(texts).not.toContain("fired evt_never");
      }
      // Only a lost answer or a kill in the middle may repeat anything.
      if (w.repeatable() === 0) expect(repeated).toBe(0);
      expect(w.queued()).toBe(0);
      w.close();
    }),
    { numRuns: runs(10) },
  );
});
