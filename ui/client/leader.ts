/** What tabs of one browser tell each other. */
type Message =
  | { kind: "beat"; from: string }
  | { kind: "resign"; from: string }
  | { kind: "hello"; from: string }
  | { kind: "data"; from: string; topic: string; value: unknown };

/** Milliseconds without a beat after which a visible tab takes the lead. */
const silenceMs = 2600;
const beatMs = 1000;

const me = Math.random().toString(36).slice(2);
const channel = typeof BroadcastChannel === "undefined" ? null : new BroadcastChannel("orrery");
const onData = new Set<(topic: string, value: unknown) => void>();
const onHello = new Set<() => void>();
const onLead = new Set<() => () => void>();
/** The work that runs in this tab, each with the way to stop it. */
const leading = new Map<() => () => void, () => void>();
let leads = false;
let lastBeat = 0;
let timer: ReturnType<typeof setInterval> | undefined;

/**
 * Runs `work` in one visible tab only: that tab polls and holds the event stream, the others listen. The Web Locks API needs
 * https, so tabs agree by a regular message on a BroadcastChannel. `work` starts when this tab takes the lead and returns
 * the way to stop it; the returned function withdraws it for good.
 */
export function whenLeading(work: () => () => void): () => void {
  onLead.add(work);
  if (leads) leading.set(work, work());
  else if (timer !== undefined) consider();
  begin();
  return () => {
    onLead.delete(work);
    leading.get(work)?.();
    leading.delete(work);
    // A tab where nobody is signed in must not hold the lead of one where somebody is.
    if (onLead.size === 0) resign();
  };
}

/** Gives a value to this tab's listeners and to all other tabs. */
export function share(topic: string, value: unknown): void {
  for (const listen of onData) listen(topic, value);
  post({ kind: "data", from: me, topic, value });
}

/** Listens to shared values; returns the way to stop. */
export function onShared(listen: (topic: string, value: unknown) => void): () => void {
  onData.add(listen);
  return () => onData.delete(listen);
}

/** Called in the leading tab when another tab opens, so that it can be told what is known. */
export function onNewcomer(tell: () => void): () => void {
  onHello.add(tell);
  return () => onHello.delete(tell);
}

function post(message: Message): void {
  channel?.postMessage(message);
}

function begin(): void {
  if (timer !== undefined) return;
  post({ kind: "hello", from: me });
  channel?.addEventListener("message", (event: MessageEvent<Message>) => receive(event.data));
  document.addEventListener("visibilitychange", () => (document.visibilityState === "visible" ? consider() : resign()));
  addEventListener("pagehide", resign);
  timer = setInterval(() => (leads ? post({ kind: "beat", from: me }) : consider()), beatMs);
  // A tab that is the only one takes the lead after one round trip without an answer.
  setTimeout(() => lastBeat === 0 && consider(), 60);
}

function receive(message: Message): void {
  if (message.kind === "data") {
    for (const listen of onData) listen(message.topic, message.value);
    return;
  }
  if (message.kind === "resign") {
    lastBeat = 0;
    setTimeout(consider, Math.random() * 80);
    return;
  }
  if (message.kind === "hello") {
    if (!leads) return;
    post({ kind: "beat", from: me });
    for (const tell of onHello) tell();
    return;
  }
  lastBeat = Date.now();
  // When two tabs took the lead at the same moment, the one with the smaller name keeps it.
  if (leads && message.from < me) step(false);
}

function consider(): void {
  if (leads || onLead.size === 0 || document.visibilityState !== "visible") return;
  if (Date.now() - lastBeat < silenceMs) return;
  step(true);
  post({ kind: "beat", from: me });
}

function resign(): void {
  if (!leads) return;
  step(false);
  post({ kind: "resign", from: me });
}

function step(next: boolean): void {
  if (leads === next) return;
  leads = next;
  if (next) for (const work of onLead) leading.set(work, work());
  else {
    for (const stop of leading.values()) stop();
    leading.clear();
  }
}
