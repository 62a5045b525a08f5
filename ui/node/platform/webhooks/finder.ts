import { navigate } from "../../../client/router.ts";
import { type Finder, wishCommand } from "../../../shell/finder.ts";
import { resource } from "../../client/resource.ts";
import { mayChangeThings } from "../../client/session.ts";
import { splitUrl } from "./words.ts";

const webhooks = () => resource("GET /api/webhooks");

/** Addresses that are told what happens, and a new one. */
export const webhooksFinder: Finder = {
  order: 65,
  open: () => {
    if (mayChangeThings()) webhooks().need();
  },
  list: () =>
    mayChangeThings()
      ? [
          wishCommand(
            { title: "Add webhook", group: "Webhooks", icon: "plus", words: "new address http post" },
            { address: "/webhooks", wish: "webhook" },
          ),
          ...(webhooks().data.value ?? []).map(({ id, url }) => ({
            id: `webhook-${id}`,
            title: splitUrl(url).host,
            detail: splitUrl(url).rest,
            group: "Webhook",
            icon: "plug",
            words: url,
            run: () => navigate(`/webhooks/${encodeURIComponent(id)}`),
          })),
        ]
      : [],
};
