import type { Owner } from "../../../../src/node/apps/containers/contract.ts";
import { ownerWords } from "./words.ts";

/** Whose something is: the app as a link to its page, or a Compose project. */
export function OwnerLink({ owner, project }: { owner: Owner | null; project: string | null }) {
  const words = ownerWords(owner, project);
  if (words === null) return <span class="c3">Nobody here</span>;
  if (owner?.kind === "app")
    return (
      <a class="link cut" href={`/apps/${owner.app_id}`}>
        {words}
      </a>
    );
  return (
    <span class="cut">
      {words}
      {owner === null && <span class="c3"> (Compose)</span>}
    </span>
  );
}
