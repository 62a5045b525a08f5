import { afterAll, beforeEach, expect, test } from "bun:test";
import { arrange, beginEdit, cancelEdit, conflict, draft, saveBoard, savedBoard } from "./board-state.ts";
import { change, firstLayout } from "./layout.ts";

const own = globalThis.fetch;
afterAll(() => {
  globalThis.fetch = own;
  cancelEdit();
});

const stale = () => Response.json({ code: "stale_version", message: "Changed meanwhile." }, { status: 409 });
const board = (version: number, layout = firstLayout) => Response.json({ type: "server", version, layout });
const at = (id: string) => draft.value?.layout.find((widget) => widget.id === id);
/** Calls that wait for their answer, in turn. */
let waiting: { method: string; body: unknown; answer: (response: Response) => void }[] = [];
const next = async () => {
  for (let turn = 0; turn < 100 && waiting.length === 0; turn += 1) await Bun.sleep(0);
  const call = waiting.shift();
  if (call === undefined) throw new Error("nothing was asked");
  return call;
};

beforeEach(() => {
  waiting = [];
  const fetch = (_path: unknown, { method = "", body }: RequestInit = {}) => {
    const { promise, resolve } = Promise.withResolvers<Response>();
    waiting.push({ method, body: JSON.parse(String(body ?? "null")), answer: resolve });
    return promise;
  };
  globalThis.fetch = Object.assign(fetch, { preconnect: own.preconnect });
  cancelEdit();
  savedBoard().set(() => ({ type: "server", version: 3, layout: firstLayout }));
  beginEdit();
});

test("what is moved while the page saves is kept, and saved with the next press", async () => {
  arrange(change(firstLayout, "apps", { h: 1 }));
  const saving = saveBoard();
  const first = await next();
  arrange(change(draft.value?.layout ?? [], "server", { h: 2 }));
  first.answer(board(4));
  await saving;
  expect([at("apps")?.h, at("server")?.h, draft.value?.version]).toEqual([8, 9, 4]);
  const again = saveBoard();
  const second = await next();
  expect(second.body).toMatchObject({ version: 4 });
  second.answer(board(5));
  await again;
  expect(draft.value).toBeNull();
});

test("who leaves while another tab's changes are looked at is not asked about them", async () => {
  arrange(change(firstLayout, "apps", { h: 1 }));
  const saving = saveBoard();
  (await next()).answer(stale());
  const look = await next();
  expect(look.method).toBe("GET");
  cancelEdit();
  look.answer(board(9, change(firstLayout, "apps", { h: -1 })));
  await saving;
  expect([draft.value, conflict.value, waiting.length]).toEqual([null, null, 0]);
});
