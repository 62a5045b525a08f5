import { useState } from "preact/hooks";
import type { NewDavPassword } from "../../../../src/node/people/dav-passwords/contract.ts";
import { Input } from "../../../kit/field.tsx";
import { useAttempt } from "../../../parts/attempt.ts";
import { FormDialog } from "../../../parts/form-dialog.tsx";
import { ShownOnce } from "../../../parts/shown-once.tsx";
import { api } from "../../client/api.ts";
import { ProgramLines } from "./program-lines.tsx";

/** Makes a password for one program, which is shown once with the lines that connect it. */
export function DavPasswordDialog({ onClose, onMade }: { onClose: () => void; onMade: () => void }) {
  const [name, setName] = useState("");
  const [made, setMade] = useState<NewDavPassword | null>(null);
  const attempt = useAttempt();
  const submit = () =>
    attempt.send(async () => {
      setMade(await api("POST /api/drive/webdav-passwords", { body: { name: name.trim() } }));
      onMade();
    });
  if (made !== null) {
    const { username, password, path } = made;
    return (
      <ShownOnce title={made.name} label={`Password for ${username}`} secret={password} onClose={onClose}>
        <ProgramLines url={`${location.origin}${path}`} username={username} password={password} />
      </ShownOnce>
    );
  }
  return (
    <FormDialog
      title="Add WebDAV password"
      action="Add password"
      ready={name.trim() !== ""}
      attempt={attempt}
      refusal={attempt.besides("name")}
      onSubmit={() => void submit()}
      onClose={onClose}
    >
      <Input
        label="Name"
        {...attempt.field("name", name, setName)}
        hint="The program or device that will use it."
        autocomplete="off"
      />
    </FormDialog>
  );
}
