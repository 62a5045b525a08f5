import { useState } from "preact/hooks";
import type { ResticRepository } from "../../../../src/node/backups/restic/contract.ts";
import { Problem } from "../../../client/problem.ts";
import { Banner } from "../../../kit/card.tsx";
import { Segmented } from "../../../kit/choice.tsx";
import { Input, Password } from "../../../kit/field.tsx";
import { useAttempt } from "../../../parts/attempt.ts";
import { FormDialog } from "../../../parts/form-dialog.tsx";
import { api } from "../../client/api.ts";
import { fieldNames, PlaceFields, placeOf, type Typed } from "../backups/place-fields.tsx";

type PlaceType = ResticRepository["type"];

const TYPES: { value: PlaceType; label: string }[] = [
  { value: "local", label: "Disk" },
  { value: "s3", label: "S3" },
  { value: "sftp", label: "SFTP" },
  { value: "webdav", label: "WebDAV" },
];
const PLAIN = { spellcheck: false, autocapitalize: "off", autocomplete: "off" } as const;

/** Asks where a repository of restic lies, and for its password. */
export function AttachDialog({
  onClose,
  onAttached,
}: {
  onClose: () => void;
  onAttached: (attached: ResticRepository) => void;
}) {
  const [type, setType] = useState<PlaceType>("local");
  const [name, setName] = useState("");
  const [typed, setTyped] = useState<Typed>({});
  const [password, setPassword] = useState("");
  /** The key that an SFTP server showed, and the place that it is of. */
  const [shown, setShown] = useState<{ place: string; fingerprint: string } | null>(null);
  const attempt = useAttempt();
  const place = placeOf(type, typed);
  const confirmed = shown !== null && shown.place === JSON.stringify(place) ? shown.fingerprint : null;
  const submit = () =>
    attempt.send(async () => {
      const known = confirmed === null ? {} : { host_key: confirmed };
      const port = place?.["port"] === undefined ? {} : { port: Number(place["port"]) };
      const body = { type, name: name.trim(), ...place, ...port, ...known, repository_password: password };
      try {
        onAttached(await api("POST /api/backup/restic", { body }));
      } catch (error) {
        const fingerprint = error instanceof Problem && error.code === "restic_host_key" && error.params["fingerprint"];
        if (typeof fingerprint !== "string") throw error;
        setShown({ place: JSON.stringify(place), fingerprint });
      }
    });
  return (
    <FormDialog
      title="Attach a restic repository"
      sub="Nothing is ever written to it."
      action="Attach"
      ready={name.trim() !== "" && place !== null && password !== ""}
      attempt={attempt}
      refusal={attempt.besides("name", "repository_password", ...fieldNames(type))}
      onSubmit={() => void submit()}
      onClose={onClose}
    >
      <Segmented label="Where it lies" value={type} options={TYPES} onValue={setType} />
      <Input label="Name" {...attempt.field("name", name, setName)} hint="Such as: the old laptop." {...PLAIN} />
      <PlaceFields type={type} typed={typed} attempt={attempt} onTyped={setTyped} />
      {confirmed !== null && (
        <Banner state="warn">
          The server shows the key <code class="backuppath">{confirmed}</code>. Compare it with what ssh-keygen -lf
          prints there, then press Attach once more; from then on only this key is trusted.
        </Banner>
      )}
      <Password
        label="Password of the repository"
        {...attempt.field("repository_password", password, setPassword)}
        hint="The one that restic asks for. It is kept sealed on this server."
        autocomplete="off"
      />
    </FormDialog>
  );
}
