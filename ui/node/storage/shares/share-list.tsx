import type { Share } from "../../../../src/node/storage/shares/contract.ts";
import { asProblem } from "../../../client/problem.ts";
import { IconButton } from "../../../kit/button.tsx";
import { Copy } from "../../../kit/copy.tsx";
import { Status } from "../../../kit/status.tsx";
import { toast } from "../../../kit/toasts.ts";
import { api } from "../../client/api.ts";
import { mayChangeThings } from "../../client/session.ts";
import { addressOf, factsOf, modeWords } from "./words.ts";

/** Links with what became of them; each can be copied again, and ended. */
export function ShareList({
  shares,
  isNamed = false,
  onChanged,
}: {
  shares: readonly Share[];
  /** True where they are of several files. */
  isNamed?: boolean;
  onChanged: () => void;
}) {
  const end = async ({ id }: Share): Promise<void> => {
    try {
      await api("DELETE /api/drive/shares/{id}", { path: { id } });
      toast("The link opens nothing any more.");
      onChanged();
    } catch (error) {
      toast(asProblem(error).message, { state: "crit" });
    }
  };
  return (
    <ul class="rows" aria-label="Links">
      {shares.map((share) => (
        <li key={share.id} class="item">
          <div class="body">
            {isNamed && <b class="sharedname">{share.name === "" ? "In the trash" : share.name}</b>}
            <Status state={share.is_active ? "ok" : "off"}>
              {share.is_active ? modeWords[share.mode].label : "Opens nothing any more"}
            </Status>
            <span class="t13 c3">{factsOf(share)}</span>
          </div>
          <span class="row">
            {share.is_active && <Copy text={addressOf(share)} label="Copy the link" />}
            {mayChangeThings() && (
              <IconButton size="sm" icon="trash" label="End this link" onClick={() => void end(share)} />
            )}
          </span>
        </li>
      ))}
    </ul>
  );
}
