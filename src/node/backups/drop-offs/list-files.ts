import { pulledBody } from "../../../kernel/http/pulled-body.ts";
import { alsoAsk } from "../../../kernel/http/right-to-read.ts";
import { withRelease } from "../../../lib/release.ts";
import type { TargetEntry } from "../engine/index.ts";
import { fail } from "./contract.ts";
import { assertName, folderOf, INCOMING, inPlace } from "./files.ts";
import { holdKey } from "./keys.ts";
import type { Own } from "./needs.ts";
import type { DropOffRow } from "./store.ts";

/** Lists on their way out of one place, such as that of a backup and that of a test meanwhile; and of all. */
const MOST_LISTS = { ofOne: 2, ofAll: 16 };
const AGAIN_S = 2;
/** What is sent of a list at a time. */
const PIECE_CHARS = 32 * 1024;

const encoder = new TextEncoder();

/** A list as JSON, in pieces that are made when they are asked for. */
async function* jsonOf(entries: AsyncIterable<TargetEntry>): AsyncGenerator<Uint8Array, void, undefined> {
  let text = "[";
  let isFirst = true;
  for await (const { name, size } of entries) {
    text += `${isFirst ? "" : ","}${JSON.stringify({ name, size })}`;
    isFirst = false;
    if (text.length < PIECE_CHARS) continue;
    yield encoder.encode(text);
    text = "";
  }
  yield encoder.encode(`${text}]`);
}

/** What is below a folder of a place, in no order, until it is all sent or nobody asks any more. Throws `drop_listed` while others leave. */
export async function listFiles(own: Own, request: Request, row: DropOffRow, folder: string): Promise<Response> {
  assertName(folder);
  const { signal } = request;
  alsoAsk(request, holdKey(own, request));
  // What comes in is no part of a repository, and whoever tidies one up would remove it.
  if (folder.split("/")[0] === INCOMING) return Response.json([]);
  const taken = own.listing.take([
    { key: row.id, most: MOST_LISTS.ofOne },
    { key: "all", most: MOST_LISTS.ofAll },
  ]);
  if (taken.full !== null) throw fail("drop_listed", {}, { "retry-after": String(AGAIN_S) });
  const { give } = taken;
  try {
    const entries = await inPlace(row, folder, () => folderOf(own, row).listFrom(folder));
    const json = withRelease(jsonOf(entries), () => entries.return());
    const stop = () => {
      give();
      json.return().catch(() => "it has ended by itself");
    };
    if (signal.aborted) stop();
    else signal.addEventListener("abort", stop, { once: true });
    return new Response(pulledBody(request, json, give), {
      headers: { "content-type": "application/json", "cache-control": "no-store" },
    });
  } catch (error) {
    give();
    throw error;
  }
}
