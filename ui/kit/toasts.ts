import { signal } from "@preact/signals";
import type { State } from "./status.tsx";

interface ToastItem {
  id: number;
  state: State;
  text: string;
  action?: { label: string; run: () => void };
}

/** The toasts that are shown now, oldest first. */
export const toasts = signal<ToastItem[]>([]);
let lastId = 0;

/** Says briefly what the reader's own action did; stays 6 s, or until the pointer leaves it. */
export function toast(
  text: string,
  options: { state?: State; action?: { label: string; run: () => void } } = {},
): void {
  lastId += 1;
  const item: ToastItem = { id: lastId, state: options.state ?? "ok", text };
  if (options.action !== undefined) item.action = options.action;
  toasts.value = [...toasts.peek().slice(-2), item];
  plan(item.id);
}

const timers = new Map<number, ReturnType<typeof setTimeout>>();

/** Keeps a toast until `plan` or `dismiss` is called for it. */
export function hold(id: number): void {
  clearTimeout(timers.get(id));
}

/** Dismisses a toast in 6 s. */
export function plan(id: number): void {
  timers.set(
    id,
    setTimeout(() => dismiss(id), 6000),
  );
}

/** Takes one away. */
export function dismiss(id: number): void {
  hold(id);
  timers.delete(id);
  toasts.value = toasts.peek().filter((item) => item.id !== id);
}
