import { signal } from "@preact/signals";
import { asProblem, type Problem } from "../../../client/problem.ts";
import { api } from "../../client/api.ts";
import type { ChosenFile } from "./chosen-files.ts";
import { sendFile } from "./send-file.ts";

/** A file on its way into the Drive. */
export interface Transfer {
  id: number;
  chosen: ChosenFile;
  state: "waiting" | "sending" | "done" | "failed";
  sent_bytes: number;
  problem: Problem | null;
  /** Under which the server keeps what came of a large file. */
  upload_id: string | null;
  /** A file of that name gets this content. */
  replaces: boolean;
}

/** Files that are sent at a time. */
const LANES = 2;

/** Files on their way and those that have come, since the page was opened. They go on while other screens are looked at. */
export const transfers = signal<readonly Transfer[]>([]);
/** Counts what has come, for lists that show it. */
export const arrivals = signal(0);

const aborts = new Map<number, AbortController>();
let lastId = 0;
let lanes = 0;

function change(id: number, to: Partial<Transfer>): void {
  transfers.value = transfers.peek().map((transfer) => (transfer.id === id ? { ...transfer, ...to } : transfer));
}

function askBeforeLeaving(event: BeforeUnloadEvent): void {
  event.preventDefault();
}

async function send({ id, chosen, replaces }: Transfer): Promise<void> {
  const abort = new AbortController();
  aborts.set(id, abort);
  change(id, { state: "sending", problem: null });
  try {
    const folder = await chosen.findFolder();
    await sendFile({
      file: chosen.file,
      folder,
      replaces,
      signal: abort.signal,
      onProgress: (sent_bytes) => change(id, { sent_bytes }),
      onBegun: (upload_id) => change(id, { upload_id }),
    });
    change(id, { state: "done", sent_bytes: chosen.file.size });
    arrivals.value += 1;
  } catch (error) {
    // What was cancelled is not in the list any more.
    change(id, { state: "failed", problem: asProblem(error) });
  } finally {
    aborts.delete(id);
  }
}

/** Sends what waits, one file after the other; as many of these run as there are lanes. */
async function work(): Promise<void> {
  lanes += 1;
  addEventListener("beforeunload", askBeforeLeaving);
  try {
    for (;;) {
      const next = transfers.peek().find(({ state }) => state === "waiting");
      if (next === undefined) return;
      await send(next);
    }
  } finally {
    lanes -= 1;
    if (lanes === 0) removeEventListener("beforeunload", askBeforeLeaving);
  }
}

function begin(): void {
  while (lanes < LANES && transfers.peek().some(({ state }) => state === "waiting")) {
    const before = lanes;
    void work();
    if (lanes <= before) return;
  }
}

/** Adds files to those on their way. */
export function addTransfers(chosen: readonly ChosenFile[]): void {
  const added = chosen.map((one): Transfer => {
    lastId += 1;
    return {
      id: lastId,
      chosen: one,
      state: "waiting",
      sent_bytes: 0,
      problem: null,
      upload_id: null,
      replaces: false,
    };
  });
  transfers.value = [...transfers.peek(), ...added];
  begin();
}

/** Tries a file again that did not come, in the place of one of its name if asked; what came of it is not sent again. */
export function retryTransfer(id: number, replaces: boolean): void {
  change(id, { state: "waiting", problem: null, replaces });
  begin();
}

/** Takes a file from the list; what came of one that is not whole is given up. */
export async function cancelTransfer({ id, upload_id, state }: Transfer): Promise<void> {
  transfers.value = transfers.peek().filter((transfer) => transfer.id !== id);
  aborts.get(id)?.abort();
  if (upload_id !== null && state !== "done") await giveUp(upload_id);
}

/** Takes everything from the list that is not on its way. */
export function clearTransfers(): void {
  transfers.value = transfers.peek().filter(({ state }) => state === "waiting" || state === "sending");
}

/** Forgets on the server what came of a file. */
export async function giveUp(uploadId: string): Promise<void> {
  const path = { upload_id: uploadId };
  // Where the server does not answer, it forgets by itself after days.
  await api("DELETE /api/drive/upload/{upload_id}", { path }).catch(() => "it is gone, or will be");
}
