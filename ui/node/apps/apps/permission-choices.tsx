import type { AppDetail } from "../../../../src/node/apps/apps/contract.ts";

/** A box for each permission that somebody is asked for. */
export function PermissionChoices({
  asked,
  allowed,
  onAllowed,
}: {
  asked: AppDetail["to_confirm"];
  /** Ids of those that are ticked. */
  allowed: readonly string[];
  onAllowed: (allowed: string[]) => void;
}) {
  return (
    <>
      {asked.map(({ id, title, detail }) => (
        <label class="row t13" key={id}>
          <input
            type="checkbox"
            checked={allowed.includes(id)}
            onChange={(event) =>
              onAllowed(event.currentTarget.checked ? [...allowed, id] : allowed.filter((one) => one !== id))
            }
          />
          <span>
            <b class="w6">Allow: {title}</b> {detail}
          </span>
        </label>
      ))}
    </>
  );
}
