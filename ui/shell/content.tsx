import { useEffect, useLayoutEffect, useRef } from "preact/hooks";
import { path } from "../client/router.ts";
import { LinkButton } from "../kit/button.tsx";
import { EmptyState } from "../kit/card.tsx";
import { findScreen, type Screen } from "./screens.ts";
import { crumb } from "./title.ts";

/** What somebody reads who may not open the screen of this address. */
export interface Denied {
  title: string;
  text: string;
}

/** The screen of the address, or the words for an address without one; names the page and takes the focus to its start. */
export function Content({ screens, place, denied }: { screens: readonly Screen[]; place: string; denied: Denied }) {
  const at = path.value;
  const found = findScreen(screens, at);
  const main = useRef<HTMLElement>(null);
  const first = useRef(true);

  useLayoutEffect(() => {
    // After a change of page the focus goes to its start, as on a page load, but not on the first one. In a layout effect,
    // so that a key pressed at once already finds it there.
    if (!first.current && at !== "") main.current?.focus({ preventScroll: true });
    first.current = false;
  }, [at]);
  useEffect(() => {
    const title = crumb.value ?? found?.screen.title ?? "Not found";
    document.title = `${title}, ${place}`;
  });
  const allowed = found?.screen.mayOpen?.() !== false;
  const View = found?.screen.view;
  return (
    <main class="main" id="main" tabIndex={-1} ref={main}>
      {View !== undefined && allowed && <View key={at} params={found?.params ?? {}} />}
      {View !== undefined && !allowed && (
        <EmptyState page title={denied.title} action={<LinkButton href="/">Go home</LinkButton>}>
          {denied.text}
        </EmptyState>
      )}
      {View === undefined && (
        <EmptyState page title="Nothing orbits here" action={<LinkButton href="/">Go home</LinkButton>}>
          There is no page at this address. It may have moved or never existed.
        </EmptyState>
      )}
    </main>
  );
}
