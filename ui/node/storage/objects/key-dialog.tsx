import { useState } from "preact/hooks";
import type { NewAccessKey } from "../../../../src/node/storage/objects/contract.ts";
import { Select } from "../../../kit/choice.tsx";
import { CodeLine } from "../../../kit/copy.tsx";
import { Input } from "../../../kit/field.tsx";
import { useAttempt } from "../../../parts/attempt.ts";
import { FormDialog } from "../../../parts/form-dialog.tsx";
import { Loaded } from "../../../parts/loaded.tsx";
import { ShownOnce } from "../../../parts/shown-once.tsx";
import { api } from "../../client/api.ts";
import { useResource } from "../../client/resource.ts";
import { Snippets } from "./snippets.tsx";

type Right = "none" | "read" | "write" | "owner";

const rights: { value: Right; label: string }[] = [
  { value: "none", label: "Nothing" },
  { value: "read", label: "Read" },
  { value: "write", label: "Read and write" },
  { value: "owner", label: "Everything" },
];

/** Makes an access key: what it may do with which bucket. Its secret is shown once, with lines to paste. */
export function KeyDialog({ onClose, onMade }: { onClose: () => void; onMade: () => void }) {
  const buckets = useResource("GET /api/objects/buckets");
  const [name, setName] = useState("");
  const [chosen, choose] = useState<Readonly<Record<string, Right>>>({});
  const [made, setMade] = useState<NewAccessKey | null>(null);
  const attempt = useAttempt();
  const named = Object.entries(chosen).filter(([, right]) => right !== "none");
  const submit = () =>
    attempt.send(async () => {
      const grants = named.map(([bucket, right]) => ({
        bucket,
        read: true,
        write: right !== "read",
        owner: right === "owner",
      }));
      setMade(await api("POST /api/objects/access-keys", { body: { name: name.trim(), grants } }));
      onMade();
    });
  if (made !== null) {
    return (
      <ShownOnce title={made.name} label="Secret key" secret={made.secret_key} onClose={onClose}>
        <div class="field">
          <p class="label">Access key</p>
          <CodeLine text={made.access_key} />
        </div>
        <Snippets accessKey={made.access_key} secret={made.secret_key} bucket={made.grants[0]?.bucket ?? "BUCKET"} />
      </ShownOnce>
    );
  }
  return (
    <FormDialog
      title="New access key"
      action="Make key"
      ready={name.trim() !== "" && named.length > 0}
      attempt={attempt}
      refusal={attempt.besides("name")}
      onSubmit={() => void submit()}
      onClose={onClose}
    >
      <Input label="Name" {...attempt.field("name", name, setName)} hint="What will use it." autocomplete="off" />
      <fieldset class="field">
        <legend class="label">May do with each bucket</legend>
        <Loaded of={buckets} what="Buckets">
          {({ buckets: list }) => {
            const open = list.filter(({ reserved }) => !reserved);
            if (open.length === 0) return <p class="hint">There is no bucket yet. Make one first.</p>;
            return (
              <div class="objectrights">
                {open.map((bucket) => (
                  <div class="row" key={bucket.name}>
                    <span class="cut" title={bucket.name}>
                      {bucket.name}
                    </span>
                    <Select
                      label={`What it may do with ${bucket.name}`}
                      size="sm"
                      value={chosen[bucket.name] ?? "none"}
                      options={rights}
                      onValue={(right) => choose({ ...chosen, [bucket.name]: right })}
                    />
                  </div>
                ))}
              </div>
            );
          }}
        </Loaded>
      </fieldset>
    </FormDialog>
  );
}
