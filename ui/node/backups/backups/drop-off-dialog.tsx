import { useState } from "preact/hooks";
import type { DropOff, DropOffKey } from "../../../../src/node/backups/drop-offs/contract.ts";
import { Checkbox, Select } from "../../../kit/choice.tsx";
import { Input } from "../../../kit/field.tsx";
import { useAttempt } from "../../../parts/attempt.ts";
import { FormDialog } from "../../../parts/form-dialog.tsx";
import { api } from "../../client/api.ts";

const GB = 1_000_000_000;
const PLAIN = { spellcheck: false, autocapitalize: "off", autocomplete: "off" } as const;
const AS_IT_IS = "as it is";
const ENDS = [
  { value: "", label: "Its key never runs out" },
  { value: "30", label: "Its key runs out in 30 days" },
  { value: "90", label: "Its key runs out in 90 days" },
  { value: "365", label: "Its key runs out in a year" },
];

/** Asks what another server may keep here; of one that is there, what changes. */
export function DropOffDialog({
  known,
  onClose,
  onMade,
  onChanged,
}: {
  known: DropOff | null;
  onClose: () => void;
  onMade: (made: DropOffKey) => void;
  onChanged: () => void;
}) {
  const [name, setName] = useState(known?.name ?? "");
  const [size, setSize] = useState(String(known === null ? 100 : Math.max(1, Math.round(known.quota_bytes / GB))));
  const [addsOnly, setAddsOnly] = useState(known?.append_only ?? false);
  const [ends, setEnds] = useState(known === null ? "" : AS_IT_IS);
  const [path, setPath] = useState("");
  const attempt = useAttempt();
  const quota_bytes = Math.round(Number(size) * GB);
  const submit = () =>
    attempt.send(async () => {
      const expires_in_days = ends === "" ? null : Number(ends);
      const body = { name: name.trim(), quota_bytes, append_only: addsOnly, expires_in_days };
      if (known !== null) {
        const { expires_in_days: _, ...kept } = body;
        await api("PUT /api/backup/drop-offs/{id}", { path: { id: known.id }, body: ends === AS_IT_IS ? kept : body });
        return onChanged();
      }
      const more = path.trim() === "" ? {} : { path: path.trim() };
      onMade(await api("POST /api/backup/drop-offs", { body: { ...body, ...more } }));
    });
  return (
    <FormDialog
      title={known === null ? "Keep another server's backups" : `Change ${known.name}`}
      sub="It gets a key for one place on this server's disk, and can do nothing else here. What it sends is encrypted with a key that only it has."
      action={known === null ? "Make the place" : "Save"}
      ready={name.trim() !== "" && Number.isFinite(quota_bytes) && quota_bytes > 0}
      attempt={attempt}
      refusal={attempt.besides("name", "quota_bytes", "path")}
      onSubmit={() => void submit()}
      onClose={onClose}
    >
      <Input
        label="Name"
        {...attempt.field("name", name, setName)}
        hint="Of the other server, such as: atlas."
        {...PLAIN}
      />
      <Input
        label="It may use"
        {...attempt.field("quota_bytes", size, setSize)}
        unit="GB"
        inputMode="numeric"
        autocomplete="off"
      />
      {known === null && (
        <Input
          label="Folder (may be left out)"
          {...attempt.field("path", path, setPath)}
          hint="Of a mounted disk, such as /mnt/disk. Without one it lies in this server's data folder."
          {...PLAIN}
        />
      )}
      <Select
        label="The key runs out"
        value={ends}
        options={known === null ? ENDS : [{ value: AS_IT_IS, label: "Its key runs out as before" }, ...ENDS]}
        onValue={setEnds}
      />
      <Checkbox
        checked={addsOnly}
        onChecked={setAddsOnly}
        sub="Whoever takes over the other server cannot remove its backups. Old ones are not tidied away either."
      >
        It may add backups, and remove none
      </Checkbox>
    </FormDialog>
  );
}
