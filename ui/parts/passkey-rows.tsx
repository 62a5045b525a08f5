import { ago, moment } from "../client/format.ts";
import { IconButton } from "../kit/button.tsx";
import { Icon } from "../kit/icon.tsx";

/** A passkey or security key as a list shows it. */
interface Row {
  id: string;
  name: string;
  created_at: string;
  last_used_at: string | null;
}

/** The keys of an account, each to be renamed and removed. */
export function PasskeyRows<Key extends Row>({
  keys,
  remove = "Delete",
  onRename,
  onRemove,
}: {
  keys: readonly Key[];
  /** What taking one away is called. */
  remove?: string;
  onRename: (key: Key) => void;
  onRemove: (key: Key) => void;
}) {
  if (keys.length === 0) return null;
  return (
    <ul class="sep">
      {keys.map((key) => (
        <li class="item" key={key.id}>
          <Icon name="passkey" class="c3" />
          <span class="col">
            <span class="w5 cut">{key.name}</span>
            <span class="t12 c3" data-tip={moment(key.created_at)}>
              {key.last_used_at === null ? "Not used yet" : `Used ${ago(key.last_used_at)}`}
            </span>
          </span>
          <span class="btns push">
            <IconButton icon="edit" size="sm" label={`Rename ${key.name}`} onClick={() => onRename(key)} />
            <IconButton icon="trash" size="sm" label={`${remove} ${key.name}`} onClick={() => onRemove(key)} />
          </span>
        </li>
      ))}
    </ul>
  );
}
