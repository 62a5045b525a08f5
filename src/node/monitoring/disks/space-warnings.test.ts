import { afterEach, beforeEach, expect, test } from "bun:test";
import { createTestNode, type TestNode } from "../../../../tests/kit/node-app.ts";
import { checkSpace } from "./space-warnings.ts";

let node: TestNode;
beforeEach(() => {
  node = createTestNode();
});
afterEach(() => node.close());

/** Looks at filesystems that are as full as told; one that is left out does not answer. */
async function look(percents: Record<string, number>): Promise<string[]> {
  node.events.length = 0;
  const filesystems = async () =>
    Object.entries(percents).map(([mount_point, usage_percent]) => ({
      device: `/dev${mount_point}`,
      mount_point,
      fs_type: "ext4",
      total_bytes: 100,
      used_bytes: usage_percent,
      free_bytes: 100 - usage_percent,
      usage_percent,
      inode_percent: null,
    }));
  await checkSpace({ ...node.ctx, host: { ...node.ctx.host, filesystems } });
  await node.ctx.bus.idle();
  return node.events.map(({ data }) => JSON.stringify(data));
}

const warning = (mount: string, percent: number) =>
  JSON.stringify({ device: `/dev${mount}`, mount_point: mount, used_percent: percent });

test("one warning for each crossing, none for hovering about the limit or for silence", async () => {
  expect(await look({ "/a": 89.9, "/b": 95 })).toEqual([warning("/b", 95)]);
  expect(await look({ "/a": 90, "/b": 99 })).toEqual([warning("/a", 90)]);
  expect(await look({ "/a": 86, "/b": 89 })).toEqual([]);
  expect(await look({ "/a": 93 })).toEqual([]);
  expect(await look({ "/a": 84.9, "/b": 96 })).toEqual([]);
  expect(await look({ "/a": 91, "/b": 96 })).toEqual([warning("/a", 91)]);
});
