import { expect, test } from "bun:test";
import { rmSync } from "node:fs";
import { join } from "node:path";
import { createFakeClock } from "../../../../tests/kit/fake-clock.ts";
import { belongToPanel } from "../../../../tests/kit/link-own.ts";
import { makeScratch } from "../../../../tests/kit/scratch.ts";
import { openDatabase } from "../../../kernel/db/open.ts";
import { createStore } from "../../../kernel/db/store.ts";
import { createSeal } from "../../../kernel/seal.ts";
import { openData } from "../../open-data.ts";
import { createStanding } from "./standing.ts";

test("a link that another process has ended holds no longer, whatever is remembered of it", () => {
  const folder = makeScratch("standing");
  const clock = createFakeClock();
  const { mainDb, metricsDb, sealKey } = openData(folder, clock);
  const db = createStore(mainDb, clock.monotonic);
  const standing = createStanding({ db, clock, seal: createSeal(sealKey), plan: () => "community" });
  belongToPanel({ db, clock }, "mbr_1");
  expect([standing.membership(), standing.holds("mbr_1"), standing.holds("mbr_2")]).toEqual(["mbr_1", true, false]);
  const other = openDatabase(join(folder, "main.db"));
  other.run("UPDATE panel_link SET ended = 'disconnected'");
  expect(standing.holds("mbr_1")).toBe(false);
  for (const each of [other, mainDb, metricsDb]) each.close();
  rmSync(folder, { recursive: true });
});
