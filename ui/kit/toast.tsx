import { IconButton } from "./button.tsx";
import { Glyph } from "./status.tsx";
import { dismiss, hold, plan, toasts } from "./toasts.ts";

/** Where toasts appear; a polite live region that exists from the start, so that screen readers notice changes. */
export function Toasts() {
  return (
    <div class="toasts" role="status" aria-live="polite">
      {toasts.value.map((item) => (
        // biome-ignore lint/a11y/noStaticElementInteractions: hovering only stops the clock.
        <div class="toast" key={item.id} onMouseEnter={() => hold(item.id)} onMouseLeave={() => plan(item.id)}>
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
