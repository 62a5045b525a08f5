import { signal } from "@preact/signals";
import { IconButton } from "./button.tsx";
import { Glyph, type State } from "./status.tsx";

interface ToastItem {
  id: number;
  state: State;
  text: string;
  action?: { label: string; run: () => void };
}

const toasts = signal<ToastItem[]>([]);
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

function plan(id: number): void {
  timers.set(
    id,
    setTimeout(() => dismiss(id), 6000),
  );
}

function dismiss(id: number): void {
  clearTimeout(timers.get(id));
  timers.delete(id);
  toasts.value = toasts.peek().filter((item) => item.id !== id);
}

/** Where toasts appear; a polite live region that exists from the start, so that screen readers notice changes. */
export function Toasts() {
  return (
    <div class="toasts" role="status" aria-live="polite">
      {toasts.value.map((item) => (
        // biome-ignore lint/a11y/noStaticElementInteractions: hovering only stops the clock.
        <div
          class="toast"
          key={item.id}
          onMouseEnter={() => clearTimeout(timers.get(item.id))}
          onMouseLeave={() => plan(item.id)}
        >
          <Glyph state={item.state} />
          <span>{item.text}</span>
          {item.action !== undefined && (
            <button
              type="button"
              class="btn ghost sm"
              onClick={() => {
                item.action?.run();
                dismiss(item.id);
              }}
            >
              {item.action.label}
            </button>
          )}
          <IconButton icon="x" label="Dismiss" size="sm" onClick={() => dismiss(item.id)} />
        </div>
      ))}
    </div>
  );
}
