import { TypeCompiler } from "@sinclair/typebox/compiler";
import { t } from "elysia";
import { OutgoingError } from "../../../kernel/outgoing/index.ts";
import { toIso } from "../../../lib/clock.ts";
import { seconds } from "../../../lib/duration.ts";
import { parseJson } from "../../../lib/json.ts";
import type { KnownPanel, NodeBase } from "../../base.ts";
import { fail } from "./contract.ts";
import type { NoteRow } from "./store.ts";

const MAX_NOTES = 100;
const MAX_BYTES = 1_048_576;
const PATIENCE_MS = seconds(15);
const Text = (maxLength: number) => t.String({ maxLength });

/** What the panel answers; fields it does not name are let through. */
const Answer = TypeCompiler.Compile(
  t.Array(
    t.Object({
      id: t.String({ minLength: 1, maxLength: 64 }),
      version: t.String({ minLength: 1, maxLength: 64 }),
      title: Text(300),
      summary: Text(4_000),
      items: t.Array(Text(2_000), { maxItems: 200 }),
      published_at: Text(40),
    }),
    { maxItems: MAX_NOTES },
  ),
);

/** The panel that this node belongs to, if any. */
export function findPanel({ lists }: Pick<NodeBase, "lists">): KnownPanel | null {
  for (const read of lists.panels.all()) {
    const panel = read();
    if (panel) return panel;
  }
  return null;
}

/** The notes that the panel has for this node. Throws `release_notes_unavailable`. */
export async function fetchNotes({ lists, clock }: Pick<NodeBase, "lists" | "clock">): Promise<NoteRow[]> {
  const panel = findPanel({ lists });
  const unavailable = (reason: string) => fail("release_notes_unavailable", { reason });
  if (!panel) throw unavailable("This server belongs to no panel.");
  if (panel.url === null) throw unavailable("The panel does not tell its address (CP_PUBLIC_URL).");
  const query = new URLSearchParams({ product: "os", limit: String(MAX_NOTES), instance_id: panel.instance_id });
  const path = `/api/v1/release-notes?${query}`;
  try {
    const reply = await panel.ask(path, { method: "GET", timeoutMs: PATIENCE_MS, maxReplyBytes: MAX_BYTES });
    if (reply.status !== 200) throw unavailable(`The panel answered ${reply.status}.`);
    const notes = parseJson(reply.body);
    if (!Answer.Check(notes)) throw unavailable("The panel's answer holds no release notes.");
    const fetched_at = toIso(clock.now());
    return notes.map(({ id, version, title, summary, items, published_at }) => ({
      id,
      version,
      title,
      summary,
      published_at,
      items: JSON.stringify(items),
      fetched_at,
    }));
  } catch (error) {
    throw error instanceof OutgoingError ? unavailable(error.message) : error;
  }
}
