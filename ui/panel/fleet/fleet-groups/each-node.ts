import { asProblem, type Problem } from "../../../client/problem.ts";

/** A node that something is done to. */
export interface NodeRef {
  id: string;
  hostname: string;
}

/** How many calls run side by side: enough to be quick, few enough for a panel that others use too. */
const lanes = 6;

/** What came of a change of several nodes. */
export interface EachResult {
  done: number;
  failed: { node: NodeRef; problem: Problem }[];
}

/** Does the same to every node, a few at a time; one that fails does not stop the others. */
export async function eachNode(
  nodes: readonly NodeRef[],
  work: (node: NodeRef) => Promise<unknown>,
  onDone: (done: number) => void = () => {},
): Promise<EachResult> {
  const result: EachResult = { done: 0, failed: [] };
  const queue = [...nodes];
  const lane = async (): Promise<void> => {
    for (let node = queue.shift(); node !== undefined; node = queue.shift()) {
      try {
        await patiently(() => work(node));
        result.done += 1;
      } catch (error) {
        result.failed.push({ node, problem: asProblem(error) });
      }
      onDone(result.done + result.failed.length);
    }
  };
  await Promise.all(Array.from({ length: Math.min(lanes, nodes.length) }, lane));
  return result;
}

/** A server that is asked too often says how long to wait; everything else is an answer. */
async function patiently(work: () => Promise<unknown>): Promise<void> {
  while (true) {
    try {
      await work();
      return;
    } catch (error) {
      const { status, retryAfter } = asProblem(error);
      if (status !== 429 || retryAfter === null) throw error;
      await new Promise((resolve) => setTimeout(resolve, retryAfter * 1_000));
    }
  }
}

/** Does it to every node and throws one problem that names those it failed for. */
export async function changeAll(
  nodes: readonly NodeRef[],
  work: (node: NodeRef) => Promise<unknown>,
  onDone?: (done: number) => void,
): Promise<void> {
  const { failed } = await eachNode(nodes, work, onDone);
  const first = failed[0];
  if (first === undefined) return;
  if (nodes.length === 1) throw first.problem;
  const others = failed.length === 1 ? "" : ` and ${failed.length - 1} more`;
  throw new Error(`${first.node.hostname}${others} of ${nodes.length} could not be changed: ${first.problem.message}`);
}

/** The nodes in a title: the name of one, the number of several. */
export function nodesText(nodes: readonly NodeRef[]): string {
  return nodes.length === 1 ? (nodes[0]?.hostname ?? "") : `${nodes.length.toLocaleString("en")} nodes`;
}
