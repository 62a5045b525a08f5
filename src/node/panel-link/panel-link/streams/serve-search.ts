import { TypeCompiler } from "@sinclair/typebox/compiler";
import { kernelFail } from "../../../../kernel/http/errors.ts";
import { assertNoWait } from "../../../../kernel/http/too-many-requests.ts";
import { cutText } from "../../../../lib/cut-text.ts";
import type { ServeStream } from "../../../../shared/agent-client/index.ts";
import {
  HIT_SNIPPET_LENGTH,
  HIT_TITLE_LENGTH,
  NODE_HITS_MAX,
  type NodeHit,
  SEARCH_SERVICE,
  SearchStreamParams,
} from "../../../../shared/agent-protocol/index.ts";
import { RANK } from "../../../access.ts";
import type { NodeFind } from "../../../base.ts";
import type { Own } from "../needs.ts";

type Deps = Pick<Own, "lists" | "log" | "asks">;

const params = TypeCompiler.Compile(SearchStreamParams);

/**
 * Finds for somebody on the panel what this node would show them: each kind of things tells by itself as soon as it knows, so that a
 * slow one keeps nobody from the others. A search that the panel closes holds its place until what it began is through. Throws
 * `invalid_request` and `too_many_requests`.
 */
export const serveSearch =
  ({ lists, log, asks }: Deps): ServeStream =>
  async ({ params: asked, signal, send }) => {
    if (!params.Check(asked)) throw kernelFail("invalid_request", { field: "search", reason: "is none" });
    assertNoWait(asks.opens.take(SEARCH_SERVICE));
    const { text, person, limit } = asked;
    const reader = lists.panelReaders.all()[0]?.(person) ?? null;
    if (reader === null) return;
    let left = Math.min(limit, NODE_HITS_MAX);
    let said = Promise.resolve();
    const tell = async ({ source, find }: NodeFind): Promise<void> => {
      // What cannot be asked now, such as an engine that is away, has nothing.
      const found = await find(text.toLowerCase(), limit, reader).catch((error: unknown) => {
        log.debug("a kind of things could not be searched", { source, error });
        return [];
      });
      const hits: NodeHit[] = found.slice(0, left).map(({ id, title, snippet }) => ({
        ...{ source, id, title: cutText(title, HIT_TITLE_LENGTH), snippet: cutText(snippet, HIT_SNIPPET_LENGTH) },
      }));
      left -= hits.length;
      // One after another: a stream sends one thing at a time.
      if (hits.length > 0) said = said.then(() => send({ hits }));
      await said;
    };
    const seen = lists.finds.all().filter(({ least }) => RANK[reader.role] >= RANK[least]);
    await asks.searching(async () => {
      if (!signal.aborted) await Promise.all(seen.map(tell));
    });
  };
