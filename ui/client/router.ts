import { computed, signal } from "@preact/signals";
import { mayLeave } from "../kit/leaving.ts";
import { isCall } from "./base.ts";

/** The address shown, without origin. */
export const address = signal(currentAddress());
/** Path part of the address. */
export const path = computed(() => address.value.split(/[?#]/)[0] ?? "/");
/** Query part of the address. */
export const query = computed(() => new URLSearchParams(address.value.split("#")[0]?.split("?")[1] ?? ""));

function currentAddress(): string {
  if (typeof location === "undefined") return "/";
  return location.pathname + location.search;
}

/** Goes to an address of this dashboard; `replace` keeps the history as it is. */
export function navigate(to: string, { replace = false }: { replace?: boolean } = {}): void {
  if (to === currentAddress()) return;
  history[replace ? "replaceState" : "pushState"](null, "", to);
  const changedPage = to.split("?")[0] !== path.peek();
  address.value = currentAddress();
  if (changedPage) scrollTo(0, 0);
}

/** Sets query parameters; null removes one. A new history entry only where Back shall undo it (`isStep`). */
export function setQuery(changes: Record<string, string | null>, { isStep = false }: { isStep?: boolean } = {}): void {
  const next = new URLSearchParams(query.peek());
  for (const [key, value] of Object.entries(changes)) {
    if (value === null || value === "") next.delete(key);
    else next.set(key, value);
  }
  navigate(next.size === 0 ? path.peek() : `${path.peek()}?${next}`, { replace: !isStep });
}

/** Turns clicks on plain links of this site into navigation, and follows Back and Forward. */
export function startRouter(): void {
  addEventListener("popstate", () => {
    if (currentAddress() === address.peek() || mayLeave()) address.value = currentAddress();
    else history.pushState(null, "", address.peek());
  });
  document.addEventListener("click", (event) => {
    if (
      event.defaultPrevented ||
      event.button !== 0 ||
      event.metaKey ||
      event.ctrlKey ||
      event.shiftKey ||
      event.altKey
    )
      return;
    const link = event.target instanceof Element ? event.target.closest("a") : null;
    if (!(link instanceof HTMLAnchorElement) || link.target !== "" || link.hasAttribute("download")) return;
    if (link.origin !== location.origin || isCall(link.pathname)) return;
    if (link.pathname === location.pathname && link.search === location.search && link.hash !== "") return;
    event.preventDefault();
    if (mayLeave()) navigate(link.pathname + link.search);
  });
}

/** Matches `/apps/:id` style patterns; gives the decoded parts, or null when the path is another one. */
export function matchPath(pattern: string, at: string): Record<string, string> | null {
  const want = pattern.split("/").filter(Boolean);
  const have = at.split("/").filter(Boolean);
  if (want.length !== have.length) return null;
  const params: Record<string, string> = {};
  for (const [index, part] of want.entries()) {
    const value = have[index] ?? "";
    if (part.startsWith(":")) params[part.slice(1)] = decode(value);
    else if (part !== value) return null;
  }
  return params;
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
