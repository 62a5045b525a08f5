import { useState } from "preact/hooks";
import type { Target } from "../../../../src/node/backups/backups/contract.ts";
import { Problem } from "../../../client/problem.ts";
import { Banner } from "../../../kit/card.tsx";
import { Segmented } from "../../../kit/choice.tsx";
import { Input, Password } from "../../../kit/field.tsx";
import { useAttempt } from "../../../parts/attempt.ts";
import { FormDialog } from "../../../parts/form-dialog.tsx";
import { api } from "../../client/api.ts";
import { isLimit, LimitField, limitOf } from "./limit-dialog.tsx";
import { fieldNames, PlaceFields, type PlaceType, placeOf, type Typed } from "./place-fields.tsx";

const TYPES: { value: PlaceType; label: string }[] = [
  { value: "local", label: "Disk" },
  { value: "s3", label: "S3" },
  { value: "sftp", label: "SFTP" },
  { value: "webdav", label: "WebDAV" },
  { value: "node", label: "Orrery" },
];
const PLAIN = { spellcheck: false, autocapitalize: "off", autocomplete: "off" } as const;

/** Asks for a place to keep backups in, and for the key of those that are there already. */
export function TargetDialog({ onClose, onAdded }: { onClose: () => void; onAdded: (added: Target) => void }) {
  const [type, setType] = useState<PlaceType>("local");
  const [name, setName] = useState("");
  const [typed, setTyped] = useState<Typed>({});
  const [most, setMost] = useState("");
  const [passphrase, setPassphrase] = useState("");
  const [key, setKey] = useState("");
  /** The place that has backups already. */
  const [locked, setLocked] = useState<string | null>(null);
  /** The key that an SFTP server showed, and the place that it is of. */
  const [shown, setShown] = useState<{ place: string; fingerprint: string } | null>(null);
  const attempt = useAttempt();
  const place = placeOf(type, typed);
  const isLocked = locked !== null && locked === JSON.stringify(place);
  const confirmed = shown !== null && shown.place === JSON.stringify(place) ? shown.fingerprint : null;
  const submit = () =>
    attempt.send(async () => {
      const secret = isLocked ? { recovery_key: key.trim() } : passphrase === "" ? {} : { passphrase };
      try {
        const known = confirmed === null ? {} : { host_key: confirmed };
        const port = place?.["port"] === undefined ? {} : { port: Number(place["port"]) };
        const body = { type, name: name.trim(), ...place, ...port, ...known, ...secret, ...limitOf(most) };
        onAdded(await api("POST /api/backup/targets", { body }));
      } catch (error) {
        if (error instanceof Problem && error.code === "backup_target_locked") return setLocked(JSON.stringify(place));
        const fingerprint =
          error instanceof Problem && error.code === "backup_target_host_key" && error.params["fingerprint"];
        if (typeof fingerprint !== "string") throw error;
        setShown({ place: JSON.stringify(place), fingerprint });
      }
    });
  return (
    <FormDialog
      title="Add a target"
      sub="Everything is encrypted before it gets there. The recovery key is shown next."
      action={isLocked ? "Open" : "Add"}
      ready={name.trim() !== "" && place !== null && (!isLocked || key.trim() !== "") && isLimit(most)}
      attempt={attempt}
      refusal={attempt.besides("name", "passphrase", "recovery_key", "max_mb_per_second", ...fieldNames(type))}
      onSubmit={() => void submit()}
      onClose={onClose}
    >
      <Segmented label="Kind of target" value={type} options={TYPES} onValue={setType} />
      <Input label="Name" {...attempt.field("name", name, setName)} hint="Such as: black USB disk." {...PLAIN} />
      <PlaceFields type={type} typed={typed} attempt={attempt} onTyped={setTyped} />
      <LimitField typed={most} attempt={attempt} onTyped={setMost} />
      {confirmed !== null && (
        <Banner state="warn">
          The server shows the key <code class="backuppath">{confirmed}</code>. Compare it with what ssh-keygen -lf
          prints there, then press Add once more; from then on only this key is trusted.
        </Banner>
      )}
      {isLocked ? (
        <Input
          label="Recovery key or passphrase"
          {...attempt.field("recovery_key", key, setKey)}
          hint="There are backups in this place already. Their recovery kit has the key."
          {...PLAIN}
        />
      ) : (
        <Password
          label="Passphrase (may be left out)"
          {...attempt.field("passphrase", passphrase, setPassphrase)}
          hint="Opens the backups besides the recovery key. At least 12 characters."
          autocomplete="new-password"
        />
      )}
    </FormDialog>
  );
}
