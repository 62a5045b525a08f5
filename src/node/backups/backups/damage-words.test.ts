import { expect, test } from "bun:test";
import type { DamagedPlace } from "../engine/index.ts";
import { describeDamage } from "./damage-words.ts";

const own = { apps: { list: () => [{ id: "app_1", name: "Nextcloud" }] } } as unknown as Parameters<
  typeof describeDamage
>[0];
const place = (more: Partial<DamagedPlace>): DamagedPlace => ({
  app: "app_1",
  part: "data",
  path: "a.txt",
  until: null,
  ...more,
});

test("damage is said file by file, with what is only known to lie between two names, and what is too much is counted", () => {
  const places = [
    place({}),
    place({ path: "b", until: "d" }),
    place({ path: "", until: "a" }),
    place({ app: "app_gone", path: "x", until: "" }),
    place({ app: null, part: "main.db", path: null }),
    place({ path: "z" }),
  ];
  expect(describeDamage(own, { places, count: 300 })).toBe(
    "It cannot be read any more: a.txt in data of Nextcloud, what stands between b and d in data of Nextcloud, " +
      "what stands between the beginning and a in data of Nextcloud, what comes after x in data of app_gone, all of main.db, " +
      "and 295 more, see the log.",
  );
});
