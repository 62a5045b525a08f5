import { useState } from "preact/hooks";
import type { Bucket } from "../../../../src/node/storage/objects/contract.ts";
import { Input } from "../../../kit/field.tsx";
import { useAttempt } from "../../../parts/attempt.ts";
import { FormDialog } from "../../../parts/form-dialog.tsx";
import { api } from "../../client/api.ts";
import { useKept } from "./kept.ts";
import { PublicField } from "./public-field.tsx";

/** Makes a bucket. */
export function BucketDialog({ onClose, onMade }: { onClose: () => void; onMade: (made: Bucket) => void }) {
  const [name, setName] = useState("");
  const [isPublic, setPublic] = useState(false);
  const attempt = useAttempt();
  const kept = useKept();
  const submit = () =>
    attempt.send(async () => {
      const visibility = isPublic ? "public" : "private";
      onMade(await api("POST /api/objects/buckets", { body: { name: name.trim(), visibility } }));
    });
  return (
    <FormDialog
      title="New bucket"
      action="Make bucket"
      ready={name.trim() !== ""}
      attempt={attempt}
      refusal={attempt.besides("name")}
      onSubmit={() => void submit()}
      onClose={onClose}
    >
      <Input
        label="Name"
        {...attempt.field("name", name, setName)}
        hint="3 to 63 small letters, digits, dots or hyphens."
        spellcheck={false}
        autocapitalize="off"
        autocomplete="off"
      />
      {kept !== "s3" && <PublicField checked={isPublic} onChecked={setPublic} />}
    </FormDialog>
  );
}
