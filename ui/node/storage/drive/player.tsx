import { useLayoutEffect, useRef, useState } from "preact/hooks";
import type { DriveNode, DriveView } from "../../../../src/node/storage/drive/contract.ts";
import { api } from "../../client/api.ts";

/** An address that ran out this soon would not play with another one either, milliseconds. */
const SOON_MS = 60_000;

/** Plays sound or a film. When its address has run out it asks for another and goes on where it was. */
export function Player({ node, view, onProblem }: { node: DriveNode; view: DriveView; onProblem: () => void }) {
  const [url, setUrl] = useState(view.url ?? "");
  const element = useRef<HTMLMediaElement>(null);
  const since = useRef(performance.now());
  const place = useRef({ at: 0, plays: false });
  const goOn = async (): Promise<void> => {
    if (performance.now() - since.current < SOON_MS) return onProblem();
    since.current = performance.now();
    place.current = { at: element.current?.currentTime ?? 0, plays: element.current?.paused === false };
    const again = await api("GET /api/drive/nodes/{id}/view", { path: { id: node.id } }).catch(() => null);
    if (again?.url == null) return onProblem();
    setUrl(again.url);
  };
  useLayoutEffect(() => {
    const { at, plays } = place.current;
    if (element.current === null || at === 0) return;
    element.current.currentTime = at;
    if (plays) element.current.play().catch(onProblem);
  }, [url]);
  const shared = { src: url, controls: true, "aria-label": node.name, onError: () => void goOn() };
  const hold = (media: HTMLMediaElement | null): void => {
    element.current = media;
  };
  return view.kind === "audio" ? <audio ref={hold} {...shared} /> : <video ref={hold} {...shared} />;
}
