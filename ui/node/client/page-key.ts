import { setBase } from "../../client/base.ts";
import { recall, store } from "../../client/preferences.ts";

const place = "orrery.page";
const pattern = /^[\w-]{22}$/;

/**
 * The key by which this server's own page is told from those of its apps, which the browser sends the same cookies by the name of the host:
 * the cookies are kept for a path that only this origin (host and port) knows. All its tabs have the same.
 */
export function startPageKey(): void {
  const kept = recall(place)["key"];
  if (typeof kept === "string" && pattern.test(kept)) {
    setBase(`/~${kept}`);
    return;
  }
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  const key = btoa(String.fromCharCode(...bytes))
    .replaceAll("+", "-")
    .replaceAll("/", "_")
    .replace(/=+$/, "");
  store(place, JSON.stringify({ key }));
  // A browser that keeps nothing would lose the way to its cookies with the page.
  if (recall(place)["key"] === key) setBase(`/~${key}`);
}
