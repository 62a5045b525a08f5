import { signal } from "@preact/signals";
import type { Widget } from "../../../../src/node/platform/dashboards/contract.ts";
import { asProblem, type Problem } from "../../../client/problem.ts";
import { toast } from "../../../kit/toasts.ts";
import { api } from "../../client/api.ts";
import { resource } from "../../client/resource.ts";
import { firstLayout, merge, readLayout } from "./layout.ts";

const options = { query: { type: "server" } };

/** What is being arranged: from which version, what it was then, what it is now, and the steps back. */
interface Draft {
  version: number;
  base: Widget[];
  layout: Widget[];
  past: Widget[][];
}

export const draft = signal<Draft | null>(null);
export const saving = signal(false);
/** What another tab saved meanwhile, when it cannot be brought together with this tab's. */
export const conflict = signal<{ version: number; layout: Widget[] } | null>(null);

/** The saved arrangement of this account. */
export function savedBoard() {
  return resource("GET /api/profile/dashboard", options);
}

/** Starts arranging. */
export function beginEdit(): void {
  const saved = savedBoard().data.peek();
  if (saved === null) return;
  const layout = readLayout(saved.layout);
  draft.value = { version: saved.version, base: layout, layout, past: [] };
}

/** Puts a new arrangement in place; `keep` adds no step to go back to, for the moves of one drag. */
export function arrange(layout: Widget[], { keep = false }: { keep?: boolean } = {}): void {
  const now = draft.peek();
  if (now === null || JSON.stringify(now.layout) === JSON.stringify(layout)) return;
  draft.value = { ...now, layout, past: keep ? now.past : [...now.past, now.layout].slice(-50) };
}

/** Remembers the arrangement before a drag as one step back. */
export function remember(before: Widget[]): void {
  const now = draft.peek();
  if (now === null || JSON.stringify(now.layout) === JSON.stringify(before)) return;
  draft.value = { ...now, past: [...now.past, before].slice(-50) };
}

/** Takes the last change back. */
export function undo(): void {
  const now = draft.peek();
  const before = now?.past.at(-1);
  if (now === null || before === undefined) return;
  draft.value = { ...now, layout: before, past: now.past.slice(0, -1) };
}

/** Back to the arrangement that everybody starts with. */
export function reset(): void {
  arrange(firstLayout);
}

/** Leaves without saving. */
export function cancelEdit(): void {
  draft.value = null;
  conflict.value = null;
}

/** Saves; changes of another tab to other widgets are kept, those to the same one are asked about. */
export async function saveBoard(): Promise<void> {
  const now = draft.peek();
  if (now === null) return;
  saving.value = true;
  try {
    await put(now, now.layout, now.version);
  } catch (error) {
    const problem = asProblem(error);
    if (problem.code === "stale_version") await reconcile(now);
    else complain(problem);
  }
  saving.value = false;
}

async function put(sent: Draft, layout: Widget[], version: number): Promise<void> {
  const saved = await api("PUT /api/profile/dashboard", { ...options, body: { layout, version } });
  savedBoard().set(() => ({ type: saved.type, version: saved.version, layout }));
  const now = draft.peek();
  if (now === null || now.layout === sent.layout) return cancelEdit();
  // Widgets that were moved while the save was on its way still have to be saved.
  const both = merge(sent.layout, now.layout, layout) ?? now.layout;
  draft.value = { ...now, version: saved.version, base: layout, layout: both };
}

async function reconcile(now: Draft): Promise<void> {
  const theirs = await api("GET /api/profile/dashboard", options).catch(() => null);
  // Arranging was left meanwhile, so there is nothing to merge.
  if (theirs === null || draft.peek() === null) return;
  const layout = readLayout(theirs.layout);
  const both = merge(now.base, now.layout, layout);
  if (both === null) {
    conflict.value = { version: theirs.version, layout };
    return;
  }
  await put(now, both, theirs.version).then(
    () => toast("Saved, together with changes from another tab."),
    (error: unknown) => complain(asProblem(error)),
  );
}

/** The answer to a conflict. */
export async function resolveConflict(choice: "mine" | "theirs"): Promise<void> {
  const [now, other] = [draft.peek(), conflict.peek()];
  if (now === null || other === null) return;
  conflict.value = null;
  if (choice === "theirs") {
    savedBoard().set(() => ({ type: "server", version: other.version, layout: other.layout }));
    cancelEdit();
    return;
  }
  const mine = { ...now, version: other.version, base: other.layout };
  draft.value = mine;
  // This choice was made with the other version known, so it is not asked about again.
  await put(mine, now.layout, other.version).catch((error: unknown) => complain(asProblem(error)));
}

function complain(problem: Problem): void {
  toast(problem.message, { state: "crit" });
}
