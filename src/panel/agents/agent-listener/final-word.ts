import { AppError } from "../../../kernel/http/errors.ts";
import type { Log } from "../../../kernel/log.ts";
import { agentFail } from "../../../shared/agent-protocol/index.ts";
import type { WordReason } from "../../../shared/panel-word/index.ts";
import type { AgentDirectory, PresentedCertificate } from "./directory.ts";

/** Refusals after which a node gives up, once the panel has signed that it means them. */
const FINAL = { node_deleted: "deleted", certificate_superseded: "superseded" } as const satisfies Record<
  string,
  WordReason
>;

const isFinal = (code: string): code is keyof typeof FINAL => Object.hasOwn(FINAL, code);

/** The error as a node is told it: with the panel's signed word when it ends what the node has. Never throws. */
export async function withWord(
  { directory, log }: { directory: Pick<AgentDirectory, "testify">; log: Log },
  error: unknown,
  presented: PresentedCertificate | null,
): Promise<unknown> {
  if (!(error instanceof AppError) || !presented || !isFinal(error.code)) return error;
  try {
    const word = await directory.testify(presented, FINAL[error.code]);
    return word === null ? error : agentFail(error.code, { word });
  } catch (cause) {
    // Unsigned it only says to try again.
    log.error("the final word to a node could not be signed", { node_id: presented.nodeId, error: cause });
    return error;
  }
}
