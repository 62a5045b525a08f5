import { afterAll, expect, test } from "bun:test";
import { rmSync } from "node:fs";
import { killOnce } from "../kit/kill-rounds.ts";
import { createPostgresDatabase } from "../kit/postgres.ts";
import { makeScratch } from "../kit/scratch.ts";
import { seedFleet } from "../kit/seed-fleet.ts";
import { onEachEngine } from "../kit/sql-databases.ts";

const NODES = 480;
const ROUNDS = { sqlite: 12, postgres: 4 };
/** As long as a busy machine may take until there was enough load. */
const LONGEST_MS = 150_000;
/** By hand: PANEL_KILLS=100 bun test tests/e2e/panel-kill.test.ts */
const asked = Number(Bun.env["PANEL_KILLS"] ?? 0);

onEachEngine("a killed panel", (engine) => {
  const folder = makeScratch("kill");
  const rounds = asked || ROUNDS[engine];
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  test(
    "has kept what it acknowledged, but for the samples of a second",
    async () => {
      const databaseUrl = engine === "postgres" ? await createPostgresDatabase() : "";
      await seedFleet(folder, NODES, { databaseUrl });
      let beats = 0;
      let turns = 0;
      let commands = 0;
      // Enough to have been under load: a busy machine needs more rounds for it, and longer ones.
      const isEnough = (): boolean => beats > 100 && turns > 50 && commands > 20;
      const begun = performance.now();
      for (let round = 1; round <= rounds || (!isEnough() && performance.now() - begun < LONGEST_MS); round++) {
        const longestMs = 500 * Math.max(1, round / rounds);
        const found = await killOnce(folder, databaseUrl, round, 20 + Math.random() * longestMs);
        expect(found.lost).toEqual([]);
        expect(found.samplesLostMs).toBeLessThan(1_000);
        beats += found.beats;
        turns += found.turns;
        commands += found.commands;
      }
      expect({ beats, turns, commands, isEnough: isEnough() }).toMatchObject({ isEnough: true });
    },
    LONGEST_MS + 60_000 + rounds * 6_000,
  );
});
