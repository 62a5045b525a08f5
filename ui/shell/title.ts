import { signal } from "@preact/signals";
import { useEffect } from "preact/hooks";

/** The last part of the breadcrumb when a screen shows one thing, such as an app. */
export const crumb = signal<string | null>(null);

/** Names the thing on this screen for as long as it is shown. */
export function useCrumb(name: string | null): void {
  useEffect(() => {
    crumb.value = name;
    return () => {
      crumb.value = null;
    };
  }, [name]);
}
