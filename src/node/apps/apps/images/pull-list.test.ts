import { expect, test } from "bun:test";
import { setImmediate } from "node:timers/promises";
import { createPullList, MOST_OF_ALL, MOST_OF_ONE, MOST_PULLS } from "./pull-list.ts";

let now = 0;
const createList = () => createPullList({ monotonic: () => ++now });
const never = new AbortController().signal;

/** Begins a pull that lasts until it is told to end. */
function begin(
  list: ReturnType<typeof createPullList>,
  image: string,
  {
    signal = never,
    isIn,
    who = "usr_1",
    key,
  }: { signal?: AbortSignal; isIn?: () => boolean; who?: string; key?: string } = {},
) {
  const done = Promise.withResolvers<string>();
  const state = { waits: false, begun: false };
  const by = {
    user_id: who,
    ip: "",
    ...(key === undefined ? {} : { key_id: key }),
    ...(isIn === undefined ? {} : { isStillIn: async () => isIn() }),
  };
  const onWait = () => {
    state.waits = true;
  };
  const end = list
    .run({ image, by, signal, onWait }, ({ signal: over }) => {
      state.begun = true;
      over.addEventListener("abort", () => done.reject(new Error("aborted")));
      return done.promise;
    })
    .catch((error: Error) => error.message);
  return { state, end, finish: () => done.resolve("pulled") };
}

const fill = (list: ReturnType<typeof createPullList>, count: number, more: Parameters<typeof begin>[2] = {}) =>
  Array.from({ length: count }, (_, index) => begin(list, `image-${index}`, more));
const codeOf = (act: () => void): string => {
  try {
    act();
  } catch (error) {
    return Object(error).code;
  }
  return "none";
};
const by = (user_id: string, key_id?: string) => ({ user_id, ip: "", ...(key_id === undefined ? {} : { key_id }) });

test("of those who wait, whoever had least has the next place, and each key waits for itself", async () => {
  const list = createList();
  const robots = fill(list, 10, { key: "key_1" });
  const [person, other] = [begin(list, "late"), begin(list, "later", { who: "usr_2" })];
  const own = begin(list, "own", { who: "usr_2" });
  robots[0]?.finish();
  await robots[0]?.end;
  expect([other.state.begun, person.state.begun, robots[3]?.state.begun]).toEqual([true, false, false]);
  robots[1]?.finish();
  await robots[1]?.end;
  // The account of the key has one place, and so has the other; in it the person comes before the key.
  robots[2]?.finish();
  await robots[2]?.end;
  expect([person.state.begun, own.state.begun, robots[3]?.state.begun]).toEqual([true, true, false]);
});

test("one who asks is told to wait before too many of theirs do, and others are not", async () => {
  const list = createList();
  fill(list, MOST_OF_ONE, { key: "key_1" });
  expect(codeOf(() => list.assertRoom(by("usr_1", "key_1")))).toBe("pulls_busy");
  for (const one of [by("usr_1"), by("usr_1", "key_2"), by("usr_2"), null])
    expect(codeOf(() => list.assertRoom(one))).toBe("none");
  // What was begun before needs another image.
  fill(list, MOST_OF_ONE, { key: "key_1" });
  expect(await begin(list, "more", { key: "key_1" }).end).toContain("are being pulled or wait");
});

test("all together are no more than there is room for", () => {
  const list = createList();
  for (let no = 0; no < MOST_OF_ALL; no++) begin(list, "web", { who: `usr_${no % 9}` });
  for (const one of [by("usr_10"), null]) expect(codeOf(() => list.assertRoom(one))).toBe("pulls_busy");
});

test("many that end at once leave others a turn, and those that wait get no place on the way", async () => {
  const list = createList();
  const pulls = Array.from({ length: 35 }, (_, no) => begin(list, "evil", { who: `usr_${no % 2}` }));
  let ended = 0;
  for (const { end } of pulls) void end.then(() => (ended += 1));
  const all = list.cancel("evil");
  const turns: number[] = [];
  while (ended < pulls.length) {
    await setImmediate();
    turns.push(ended);
  }
  await all;
  expect(turns.length).toBeGreaterThanOrEqual(3);
  expect(turns[0]).toBeLessThan(pulls.length);
  expect(pulls.filter(({ state }) => state.begun)).toHaveLength(MOST_PULLS);
  expect(codeOf(() => list.assertPlace())).toBe("none");
});

test("whoever finds no place waits in the order of coming", async () => {
  const list = createList();
  const first = Array.from({ length: MOST_PULLS }, (_, index) => begin(list, `image-${index}`));
  expect(codeOf(() => list.assertPlace())).toBe("pulls_busy");
  const [late, later] = [begin(list, "late"), begin(list, "later")];
  expect([late.state, later.state]).toEqual([
    { waits: true, begun: false },
    { waits: true, begun: false },
  ]);
  first[1]?.finish();
  expect(await first[1]?.end).toBe("pulled");
  expect([late.state.begun, later.state.begun]).toEqual([true, false]);
});

test("one that waits is cancelled, too, and leaves its turn to the next", async () => {
  const list = createList();
  const first = Array.from({ length: MOST_PULLS }, (_, index) => begin(list, `image-${index}`));
  const [late, later] = [begin(list, "late"), begin(list, "later")];
  void list.cancel("late");
  expect(await late.end).toBe("It was cancelled before the image was here.");
  expect(late.state.begun).toBe(false);
  expect(list.has("late")).toBe(false);
  void list.cancel("image-0");
  expect(await first[0]?.end).toBe("It was cancelled before the image was here.");
  expect(later.state.begun).toBe(true);
});

test("pulls of a key that has ended end, and those of others go on", async () => {
  const list = createList();
  let isIn = true;
  const [ofKey, ofPerson] = [begin(list, "evil", { isIn: () => isIn }), begin(list, "evil")];
  await list.endUnasked();
  isIn = false;
  await list.endUnasked();
  expect(await ofKey.end).toBe("The API key that asked for it ended before the image was here.");
  ofPerson.finish();
  expect(await ofPerson.end).toBe("pulled");
});

test("what ends the work itself is told as it is", async () => {
  const stop = new AbortController();
  const pull = begin(createList(), "web", { signal: stop.signal });
  await setImmediate();
  stop.abort();
  expect(await pull.end).toBe("aborted");
});
