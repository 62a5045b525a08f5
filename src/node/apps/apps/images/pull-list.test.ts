import { expect, test } from "bun:test";
import { createPullList, MOST_PULLS } from "./pull-list.ts";

const never = new AbortController().signal;

/** Begins a pull that lasts until it is told to end. */
function begin(list: ReturnType<typeof createPullList>, image: string, signal = never, isIn?: () => boolean) {
  const done = Promise.withResolvers<string>();
  const state = { waits: false, begun: false };
  const by = { user_id: "usr_1", ip: "", ...(isIn === undefined ? {} : { isStillIn: async () => isIn() }) };
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

test("whoever finds no place waits in the order of coming", async () => {
  const list = createPullList();
  const first = Array.from({ length: MOST_PULLS }, (_, index) => begin(list, `image-${index}`));
  expect(list.isFull()).toBe(true);
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
  const list = createPullList();
  const first = Array.from({ length: MOST_PULLS }, (_, index) => begin(list, `image-${index}`));
  const [late, later] = [begin(list, "late"), begin(list, "later")];
  list.cancel("late");
  expect(await late.end).toBe("It was cancelled before the image was here.");
  expect(late.state.begun).toBe(false);
  expect(list.has("late")).toBe(false);
  list.cancel("image-0");
  expect(await first[0]?.end).toBe("It was cancelled before the image was here.");
  expect(later.state.begun).toBe(true);
});

test("pulls of a key that has ended end, and those of others go on", async () => {
  const list = createPullList();
  let isIn = true;
  const [ofKey, ofPerson] = [begin(list, "evil", never, () => isIn), begin(list, "evil")];
  await list.endUnasked();
  isIn = false;
  await list.endUnasked();
  expect(await ofKey.end).toBe("The API key that asked for it ended before the image was here.");
  ofPerson.finish();
  expect(await ofPerson.end).toBe("pulled");
});

test("what ends the work itself is told as it is", async () => {
  const stop = new AbortController();
  const pull = begin(createPullList(), "web", stop.signal);
  stop.abort();
  expect(await pull.end).toBe("aborted");
});
