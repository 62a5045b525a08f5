import type { OpenInvite } from "../../../../src/node/people/invites/contract.ts";
import { day } from "../../../client/format.ts";
import { asProblem } from "../../../client/problem.ts";
import type { Resource } from "../../../client/resource.ts";
import { Button } from "../../../kit/button.tsx";
import { Card } from "../../../kit/card.tsx";
import { Icon } from "../../../kit/icon.tsx";
import { toast } from "../../../kit/toasts.ts";
import { Loaded } from "../../../parts/loaded.tsx";
import { api } from "../../client/api.ts";

/** The links that wait to be opened, each to be withdrawn; nothing where none does. */
export function WaitingLinks({ links }: { links: Resource<OpenInvite[]> }) {
  const withdraw = async ({ user_id, username }: OpenInvite): Promise<void> => {
    try {
      await api("DELETE /api/users/{id}/invite", { path: { id: user_id } });
      toast(`The link for ${username} opens nothing any more.`);
    } catch (error) {
      toast(asProblem(error).message, { state: "crit" });
    }
    await links.refresh();
  };
  return (
    <Loaded of={links} what="Links that wait" skeleton="">
      {(waiting) =>
        waiting.length > 0 && (
          <Card title="Links that wait" aside="whoever opens one chooses the passphrase of the account" w={12}>
            <ul class="sep">
              {waiting.map((link) => (
                <li class="item" key={link.user_id}>
                  <Icon name="link" class="c3" />
                  <span class="col">
                    <span class="w5 cut">{link.username}</span>
                    <span class="t12 c3">
                      Made by {link.made_by.username}, good until {day(link.expires_at)}
                    </span>
                  </span>
                  <span class="btns push">
                    <Button
                      size="sm"
                      aria-label={`Withdraw the link for ${link.username}`}
                      onClick={() => void withdraw(link)}
                    >
                      Withdraw
                    </Button>
                  </span>
                </li>
              ))}
            </ul>
          </Card>
        )
      }
    </Loaded>
  );
}
