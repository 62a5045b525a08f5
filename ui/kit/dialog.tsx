import { type ComponentChildren, type ComponentType, createContext } from "preact";
import { useContext, useId, useLayoutEffect, useRef, useState } from "preact/hooks";
import { Button, IconButton } from "./button.tsx";
import { Checkbox } from "./choice.tsx";
import { Input } from "./field.tsx";

interface DialogProps {
  title: ComponentChildren;
  sub?: ComponentChildren;
  /** Something before the title, such as the tile of an app. */
  lead?: ComponentChildren;
  onClose: () => void;
  children: ComponentChildren;
  foot?: ComponentChildren;
  width?: "sm" | "md";
  /** "drawer" comes from the right instead of the middle. */
  kind?: "dialog" | "drawer";
}

/** A notice at the top of every dialog, because the page behind a dialog is covered and inert. */
export const DialogNotice = createContext<ComponentType | null>(null);

const firstField = ".dialog-b :is(input, select, textarea):not([type=hidden])";

/** A native modal dialog: focus stays inside, Escape closes, focus goes back. On phones it is a sheet from below. */
export function Dialog({ title, sub, lead, onClose, children, foot, width = "md", kind = "dialog" }: DialogProps) {
  const ref = useRef<HTMLDialogElement>(null);
  const id = useId();
  const Notice = useContext(DialogNotice);
  // In a layout effect, so that keys pressed right after the one that opened the dialog reach it.
  useLayoutEffect(() => {
    const dialog = ref.current;
    const before = document.activeElement;
    if (dialog !== null && !dialog.open) dialog.showModal();
    // The browser would focus the close button; the first field or the title is a better start.
    dialog?.querySelector<HTMLElement>(dialog.querySelector(firstField) === null ? "h2" : firstField)?.focus();
    return () => {
      dialog?.close();
      giveBack(before);
    };
  }, []);
  return (
    <dialog
      ref={ref}
      class={`${kind} ${width}`}
      aria-labelledby={id}
      onCancel={(event) => {
        if (event.target !== event.currentTarget) return;
        event.preventDefault();
        onClose();
      }}
      onMouseDown={(event) => {
        if (event.target === event.currentTarget) onClose();
      }}
    >
      <div class="dialog-in">
        {Notice !== null && <Notice />}
        <header class="dialog-h">
          {lead}
          <div class="col">
            <h2 id={id} tabIndex={-1}>
              {title}
            </h2>
            {sub !== undefined && <p class="t13 c3">{sub}</p>}
          </div>
          <IconButton icon="x" label="Close" size="sm" class="push" onClick={onClose} />
        </header>
        <DialogBody labelledBy={id}>{children}</DialogBody>
        {foot !== undefined && <footer class="dialog-f">{foot}</footer>}
      </div>
    </dialog>
  );
}

/** Gives the focus back to the element that had it. When that is removed by what was done here, such as a deleted row, the page gets it. */
function giveBack(before: Element | null): void {
  if (!(before instanceof HTMLElement) || before === document.body) return;
  before.focus();
  queueMicrotask(() => {
    if (document.activeElement === document.body) document.getElementById("main")?.focus({ preventScroll: true });
  });
}

/** The body of a dialog. When it is longer than the screen it scrolls, and is a tab stop so that keys can scroll it. */
function DialogBody({ labelledBy, children }: { labelledBy: string; children: ComponentChildren }) {
  const ref = useRef<HTMLDivElement>(null);
  const [scrolls, setScrolls] = useState(false);
  const measure = (): void => {
    const body = ref.current;
    if (body !== null) setScrolls(body.scrollHeight > body.clientHeight);
  };
  useLayoutEffect(measure);
  useLayoutEffect(() => {
    const observer = new ResizeObserver(measure);
    if (ref.current !== null) observer.observe(ref.current);
    return () => observer.disconnect();
  }, []);
  const reach = scrolls ? { tabIndex: 0, role: "region" as const, "aria-labelledby": labelledBy } : {};
  return (
    <div class="dialog-b" ref={ref} {...reach}>
      {children}
    </div>
  );
}

/** Slides in from the right: details of a row, without leaving the list. */
export function Drawer(props: Omit<DialogProps, "kind">) {
  return <Dialog {...props} kind="drawer" />;
}

interface ConfirmProps {
  title: string;
  children: ComponentChildren;
  /** What has to be typed; null asks for the button only. */
  typed: string | null;
  action: string;
  /** A second, worse choice such as deleting the data too; typing is only needed with it. */
  extra?: { label: string; sub?: ComponentChildren };
  onConfirm: (extra: boolean) => Promise<void>;
  onClose: () => void;
}

/** Asks before something that cannot be taken back. */
export function ConfirmDanger({ title, children, typed, action, extra, onConfirm, onClose }: ConfirmProps) {
  const [text, setText] = useState("");
  const [also, setAlso] = useState(false);
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<string | null>(null);
  const needsName = typed !== null && (extra === undefined || also);
  const confirm = async (): Promise<void> => {
    setBusy(true);
    try {
      await onConfirm(also);
    } catch (problem) {
      setError(problem instanceof Error ? problem.message : String(problem));
      setBusy(false);
    }
  };
  const foot = (
    <>
      <Button class="push" onClick={onClose}>
        Keep it
      </Button>
      <Button kind="confirm" busy={busy} disabled={needsName && text !== typed} onClick={confirm}>
        {action}
      </Button>
    </>
  );
  return (
    <Dialog title={title} onClose={onClose} width="sm" foot={foot}>
      <div class="stack">
        <div class="c2">{children}</div>
        {extra !== undefined && (
          <Checkbox checked={also} onChecked={setAlso} sub={extra.sub}>
            {extra.label}
          </Checkbox>
        )}
        {needsName && (
          <Input
            label={`Type ${typed} to confirm`}
            value={text}
            onValue={setText}
            autocomplete="off"
            spellcheck={false}
          />
        )}
        {error !== null && (
          <p class="hint crit" role="alert">
            {error}
          </p>
        )}
      </div>
    </Dialog>
  );
}
