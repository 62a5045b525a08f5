import type { BucketSettings } from "../../../../src/node/storage/objects/contract.ts";
import { Input } from "../../../kit/field.tsx";

const MIB = 1024 * 1024;

/** The most that a bucket holds, as it is typed; empty for no end. */
export interface TypedQuota {
  mib: string;
  objects: string;
}

/** What stands in the fields at first; null where a bucket has no such end. */
export const typedQuota = (quota: BucketSettings["quota"]): TypedQuota | null =>
  quota === undefined
    ? null
    : {
        mib: quota.max_bytes === null ? "" : String(quota.max_bytes / MIB),
        objects: quota.max_objects === null ? "" : String(quota.max_objects),
      };

/** What was typed; null while it is no number. */
export function quotaOf({ mib, objects }: TypedQuota): NonNullable<BucketSettings["quota"]> | null {
  const max_bytes = mib.trim() === "" ? null : Math.round(Number(mib) * MIB);
  const max_objects = objects.trim() === "" ? null : Number(objects);
  const isCount = (value: number | null) => value === null || (Number.isSafeInteger(value) && value >= 0);
  return isCount(max_bytes) && isCount(max_objects) ? { max_bytes, max_objects } : null;
}

/** Asks for the most that a bucket holds. */
export function QuotaField({ typed, onTyped }: { typed: TypedQuota; onTyped: (typed: TypedQuota) => void }) {
  return (
    <fieldset class="field">
      <legend class="label">The most that it holds</legend>
      <div class="objectquota">
        <Input
          label="Size"
          unit="MiB"
          value={typed.mib}
          onValue={(mib) => onTyped({ ...typed, mib })}
          inputMode="numeric"
          autocomplete="off"
        />
        <Input
          label="Objects"
          value={typed.objects}
          onValue={(objects) => onTyped({ ...typed, objects })}
          inputMode="numeric"
          autocomplete="off"
        />
      </div>
      <p class="hint">Left empty, there is no end.</p>
    </fieldset>
  );
}
