import { expect, test } from "bun:test";
import { change, columns, firstLayout, merge, readLayout, settle, step } from "./layout.ts";

const overlaps = (layout: typeof firstLayout): string[] =>
  layout.flatMap((a, index) =>
    layout
      .slice(index + 1)
      .filter((b) => a.x < b.x + b.w && b.x < a.x + a.w && a.y < b.y + b.h && b.y < a.y + a.h)
      .map((b) => `${a.id} on ${b.id}`),
  );
const at = (layout: typeof firstLayout, id: string) => layout.find((widget) => widget.id === id);

test("the first arrangement stands as it is written", () => {
  expect(settle(firstLayout, null)).toEqual(firstLayout);
});

test("no move or size puts one widget on another or outside the grid", () => {
  let layout = firstLayout;
  for (let turn = 0; turn < 400; turn += 1) {
    const widget = layout[turn % layout.length];
    const by = { x: ((turn * 7) % 11) - 5, y: ((turn * 5) % 9) - 4, w: ((turn * 3) % 7) - 3, h: (turn % 5) - 2 };
    layout = change(layout, widget?.id ?? "", by);
    expect(overlaps(layout)).toEqual([]);
    expect(layout.filter((item) => item.x < 0 || item.y < 0 || item.x + item.w > columns)).toEqual([]);
    expect(layout.map((item) => item.id)).toEqual(firstLayout.map((item) => item.id));
  }
});

test("the moved widget gets its place, the others make room", () => {
  const moved = change(firstLayout, "server", { x: -8 });
  expect(at(moved, "server")).toMatchObject({ x: 0, y: 3 });
  expect(at(moved, "apps")?.y).toBe(10);
});

test("a step down gets past a taller neighbour, and a step up comes back", () => {
  const down = step(firstLayout, "processor", "down");
  expect(at(down, "processor")?.y).toBeGreaterThan(0);
  expect(at(step(down, "processor", "up"), "processor")?.y).toBe(0);
});

test("a saved layout with unknown, doubled or impossible places can still be shown", () => {
  const read = readLayout([
    { id: "gone", x: 0, y: 0, w: 2, h: 2 },
    { id: "apps", x: 11, y: 0, w: 99, h: 1 },
    { id: "server", x: 0, y: 0, w: 1, h: 1 },
  ]);
  expect(read.map((widget) => widget.id)).toEqual(["apps", "server"]);
  expect(overlaps(read)).toEqual([]);
  expect(readLayout([])).toEqual(firstLayout);
});

test("changes to different widgets come together, to the same one they do not", () => {
  const mine = firstLayout.map((widget) => (widget.id === "server" ? { ...widget, h: 9 } : widget));
  // As the server sends it: the order of the members says nothing.
  const theirs = firstLayout.map(({ id, x, y, w, h }) => ({ h: id === "apps" ? 8 : h, w, y, x, id }));
  const both = merge(firstLayout, mine, theirs);
  expect([at(both ?? [], "server")?.h, at(both ?? [], "apps")?.h]).toEqual([9, 8]);
  const other = firstLayout.map((widget) => (widget.id === "server" ? { ...widget, w: 3 } : widget));
  expect(merge(firstLayout, mine, other)).toBeNull();
  expect(merge(firstLayout, mine, mine)).toEqual(settle(mine, null));
});
