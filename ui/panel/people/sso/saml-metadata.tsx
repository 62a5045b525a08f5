import { useRef, useState } from "preact/hooks";
import { Button } from "../../../kit/button.tsx";
import { Field, Input } from "../../../kit/field.tsx";
import { SegmentedField } from "../../../kit/segmented-field.tsx";
import { useAttempt } from "../../../parts/attempt.ts";
import { Refusal } from "../../../parts/refusal.tsx";
import { api } from "../../client/api.ts";
import type { Routes } from "../../client/routes.ts";

/** A provider as it describes itself. */
export type Description = Routes["POST /api/sso/read-metadata"]["out"];

const ways = [
  { value: "url" as const, label: "By its address" },
  { value: "text" as const, label: "As text or a file" },
];

/** Reads the metadata of a provider, so that nobody has to copy its parts. */
export function SamlMetadata({
  url: known,
  onFound,
}: {
  url: string | null;
  onFound: (found: Description, url: string | null) => void;
}) {
  const [way, setWay] = useState<"url" | "text">("url");
  const [url, setUrl] = useState(known ?? "");
  const [text, setText] = useState("");
  const file = useRef<HTMLInputElement>(null);
  const attempt = useAttempt();
  const read = (body: { url: string } | { metadata: string }): void =>
    void attempt.send(async () => {
      const found = await api("POST /api/sso/read-metadata", { body });
      onFound(found, "url" in body ? body.url : null);
    });
  const choose = async (chosen: File | undefined): Promise<void> => {
    if (chosen === undefined) return;
    const metadata = await chosen.text();
    setText(metadata);
    read({ metadata });
  };
  const isEmpty = (way === "url" ? url : text).trim() === "";
  return (
    <>
      <SegmentedField
        label="Its metadata"
        value={way}
        options={ways}
        onValue={setWay}
        hint={
          way === "url"
            ? "New certificates that appear there are taken over once a day."
            : "What the provider lets you download, often called federation metadata."
        }
      />
      {way === "url" ? (
        <Input label="Address of the metadata" value={url} onValue={setUrl} type="url" autocomplete="off" />
      ) : (
        <Field label="Text of the metadata">
          {({ id, describedBy }) => (
            <span class="input area">
              <textarea
                id={id}
                class="mono"
                rows={5}
                spellcheck={false}
                aria-describedby={describedBy}
                value={text}
                onInput={(event) => setText(event.currentTarget.value)}
              />
            </span>
          )}
        </Field>
      )}
      {attempt.problem !== null && <Refusal problem={attempt.problem} wait={attempt.wait} />}
      <div class="btns">
        <Button
          icon="sync"
          busy={attempt.busy}
          disabled={isEmpty || attempt.wait > 0}
          onClick={() => read(way === "url" ? { url: url.trim() } : { metadata: text })}
        >
          Read it
        </Button>
        {way === "text" && (
          <Button icon="upload" onClick={() => file.current?.click()}>
            Choose a file
          </Button>
        )}
      </div>
      <input
        ref={file}
        type="file"
        hidden
        accept=".xml,application/xml,text/xml"
        aria-label="File with the metadata"
        onChange={(event) => {
          void choose(event.currentTarget.files?.[0]);
          event.currentTarget.value = "";
        }}
      />
    </>
  );
}
