import { useId, useState } from "preact/hooks";
import { bytesText, percent } from "../../../client/format.ts";
import { asProblem } from "../../../client/problem.ts";
import { Icon } from "../../../kit/icon.tsx";
import { Status } from "../../../kit/status.tsx";
import { sendShared } from "./send-shared.ts";

/** What a link takes. */
const MOST_BYTES = 4 * 1024 ** 3;

interface Sent {
  name: string;
  state: "waiting" | "sending" | "done" | "failed";
  words: string;
}

/** Puts files into a shared folder, one after the other. */
export function AddFiles({
  token,
  pass,
  folder,
  onAdded,
}: {
  token: string;
  pass: string | null;
  folder: string | null;
  onAdded: () => void;
}) {
  const id = useId();
  const [sent, setSent] = useState<Sent[]>([]);
  const put = (at: number, change: Partial<Sent>): void =>
    setSent((all) => all.map((one, index) => (index === at ? { ...one, ...change } : one)));
  async function sendOne(file: File, at: number): Promise<void> {
    if (file.size > MOST_BYTES)
      return put(at, { state: "failed", words: `is larger than the ${bytesText(MOST_BYTES)} that fit here` });
    put(at, { state: "sending", words: "on its way" });
    const onProgress = (bytes: number) => put(at, { words: `on its way, ${percent((bytes / file.size) * 100)}` });
    try {
      await sendShared({ token, pass, folder }, file, onProgress);
      put(at, { state: "done", words: "is there" });
    } catch (error) {
      put(at, { state: "failed", words: asProblem(error).message });
    }
  }
  async function send(files: readonly File[]): Promise<void> {
    const from = sent.length;
    setSent((all) => [...all, ...files.map(({ name }): Sent => ({ name, state: "waiting", words: "waits" }))]);
    for (const [index, file] of files.entries()) await sendOne(file, from + index);
    onAdded();
  }
  const isBusy = sent.some(({ state }) => state === "waiting" || state === "sending");
  return (
    <section
      class="card-b stack sharedadd"
      aria-label="Place to drop files"
      onDragOver={(event) => event.preventDefault()}
      onDrop={(event) => {
        event.preventDefault();
        if (!isBusy) void send([...(event.dataTransfer?.files ?? [])]);
      }}
    >
      <p class="c2" id={id}>
        {`Drop files here or choose some, each up to ${bytesText(MOST_BYTES)}.`}
      </p>
      <label class={`btn ${isBusy ? "off" : "primary"}`}>
        <Icon name="upload" />
        Choose files
        <input
          type="file"
          class="sr"
          multiple
          disabled={isBusy}
          aria-describedby={id}
          onChange={(event) => {
            void send([...(event.currentTarget.files ?? [])]);
            event.currentTarget.value = "";
          }}
        />
      </label>
      {sent.length > 0 && (
        <ul class="stack" aria-live="polite" aria-label="Files that were chosen">
          {sent.map(({ name, state, words }, index) => (
            <li key={index} class="sharedname">
              <Status
                state={state === "done" ? "ok" : state === "failed" ? "crit" : "busy"}
              >{`${name} ${words}`}</Status>
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}
