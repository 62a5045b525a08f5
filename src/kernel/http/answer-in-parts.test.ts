import { expect, test } from "bun:test";
import { answerInParts, listParts } from "./answer-in-parts.ts";

const nobodyElse = async (): Promise<void> => {};

test("a list is whole however long it is, with what stands around it", async () => {
  for (const length of [0, 1, 499, 500, 501, 1_300]) {
    const items = Array.from({ length }, (_, no) => no);
    const parts = listParts(items, (no) => ({ no }), { before: '{"items":[', after: "]}" });
    expect(parts.length).toBe(Math.max(1, Math.ceil(length / 500)));
    const answer = answerInParts(parts, nobodyElse);
    expect(answer.headers.get("content-type")).toBe("application/json; charset=utf-8");
    expect(await answer.json()).toEqual({ items: items.map((no) => ({ no })) });
  }
});
