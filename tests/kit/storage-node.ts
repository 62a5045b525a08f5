import { createTestNode, type TestNode } from "./node-app.ts";

/** A node whose object store may listen on a port of its own, as the Drive, shares and buckets need it; `config` overrides configuration values. */
export function openStorageNode(config: Parameters<typeof createTestNode>[0] = {}, restartOf?: TestNode): TestNode {
  return createTestNode({ s3_listen: "127.0.0.1:0", ...config }, restartOf);
}

/** Ends what a node keeps objects with, and leaves its data: another node may go on with it. */
export async function stopStorage({ ctx }: TestNode): Promise<void> {
  await ctx.objects.stop();
  await ctx.objectStore.stop();
}

/** Ends such a node. */
export async function closeStorageNode(node: TestNode): Promise<void> {
  await stopStorage(node);
  node.close();
}
