import type { TrashedApp } from "../../../../src/node/apps/apps/contract.ts";
import { ago, day } from "../../../client/format.ts";
import { Select } from "../../../kit/choice.tsx";

const ANEW = "";

/** Offers the data that an uninstalled app of this kind has left. */
export function KeptDataField({
  kept,
  value,
  onValue,
}: {
  kept: TrashedApp[];
  value: string | null;
  onValue: (value: string | null) => void;
}) {
  const chosen = kept.find(({ app_id }) => app_id === value);
  const options = [
    ...kept.map(({ app_id, name, deleted_at }) => ({
      value: app_id,
      label: `Use the data of ${name}, uninstalled ${ago(deleted_at)}`,
    })),
    { value: ANEW, label: "Begin anew, without data" },
  ];
  return (
    <div class="field">
      <span class="label">Data</span>
      <Select
        label="Data"
        value={chosen?.app_id ?? ANEW}
        options={options}
        onValue={(next) => onValue(next === ANEW ? null : next)}
      />
      <p class="hint">
        {chosen === undefined
          ? "What is kept stays kept until its time is over."
          : `Its volumes and its secrets are taken up again. They would be deleted on ${day(chosen.purge_at)}.`}
      </p>
    </div>
  );
}
