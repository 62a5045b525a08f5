import { type ComponentChildren, type ComponentType, createContext } from "preact";
import { useContext, useId, useLayoutEffect, useRef, useState } from "preact/hooks";
import { Button, IconButton } from "./button.tsx";
import { Checkbox } from "./choice.tsx";
import { Input } from "./field.tsx";
import { keepFromLeaving } from "./leaving.ts";
import { useTyped } from "./typed.ts";

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
  /** True while only what stands inside may close it. */
  held?: boolean;
  /** True where what is typed is a proof and no work, so that it goes without a question. */
  isProof?: boolean;
}

/** A notice at the top of every dialog, because the page behind a dialog is covered and inert. */
export const DialogNotice = createContext<ComponentType | null>(null);

/** Lets something inside a dialog hold it open. */
const Holding = createContext<(isHeld: boolean) => void>(() => undefined);

/** Holds the dialog around open while `isHeld`: neither Escape, a press beside it, Back nor its cross closes it. */
export function useHold(isHeld: boolean): void {
  const hold = useContext(Holding);
  useLayoutEffect(() => {
    hold(isHeld);
    return () => hold(false);
  }, [hold, isHeld]);
}

const firstField = ".dialog-b :is(input, select, textarea):not([type=hidden])";

/** The browser would focus the close button; the first field or the title is a better start. */
function focusStart(dialog: HTMLDialogElement | null): void {
  dialog?.querySelector<HTMLElement>(dialog.querySelector(firstField) === null ? "h2" : firstField)?.focus();
}

/**
 * A native modal dialog: focus stays inside, Escape closes, focus goes back. On phones it is a sheet from below. What was typed is not
 * thrown away by Escape, a press beside it or Back without a question.
 */
export function Dialog({
  title,
  sub,
  lead,
  onClose,
  children,
  foot,
  width = "md",
  kind = "dialog",
  ...rest
}: DialogProps) {
  const ref = useRef<HTMLDialogElement>(null);
  const id = useId();
  const Notice = useContext(DialogNotice);
  const [holds, hold] = useState(false);
  const [asks, ask] = useState(false);
  const isHeld = rest.held === true || holds;
  const typed = useTyped(ref);
  const isWork = (): boolean => rest.isProof !== true && typed.isTyped();
  const leave = (): void => {
    if (isHeld) focusStart(ref.current);
    else if (isWork()) ask(true);
    else onClose();
  };
  const keeps = (): boolean => {
    const isKept = isHeld || isWork();
    if (isKept) leave();
    return isKept;
  };
  const latest = useRef(keeps);
  latest.current = keeps;
  // In a layout effect, so that keys pressed right after the one that opened the dialog reach it.
  useLayoutEffect(() => {
    const dialog = ref.current;
    const before = document.activeElement;
    if (dialog !== null && !dialog.open) dialog.showModal();
    focusStart(dialog);
    const letGo = keepFromLeaving(() => latest.current());
    return () => {
      letGo();
      dialog?.close();
      giveBack(before);
    };
  }, []);
  return (
    <dialog
      ref={ref}
      class={`${kind} ${width}`}
      aria-labelledby={id}
      {...typed.listeners}
      onKeyDown={(event) => {
        // A page can keep Escape from closing a dialog only once: a second one would close it before anything is asked.
        if (event.key !== "Escape" || event.isComposing || document.querySelector("[popover=auto]:popover-open"))
          return;
        const isMine = event.target instanceof Element && event.target.closest("dialog") === event.currentTarget;
        if (isMine ? !keeps() : !asks) return;
        event.preventDefault();
        if (!isMine) ask(false);
      }}
      onCancel={(event) => {
        if (event.target !== event.currentTarget) return;
        event.preventDefault();
        leave();
      }}
      onClose={(event) => {
        // Closed by the browser, where the focus was in nothing that hears keys.
        if (event.target !== event.currentTarget || !event.currentTarget.isConnected) return;
        event.currentTarget.showModal();
        leave();
      }}
      onMouseDown={(event) => {
        if (event.target === event.currentTarget) leave();
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
          {!isHeld && <IconButton icon="x" label="Close" size="sm" class="push" onClick={onClose} />}
        </header>
        <Holding.Provider value={hold}>
          <DialogBody labelledBy={id}>{children}</DialogBody>
        </Holding.Provider>
        {foot !== undefined && <footer class="dialog-f">{foot}</footer>}
      </div>
      {asks && <AskToDiscard onKeep={() => ask(false)} onDiscard={onClose} />}
    </dialog>
  );
}

/** Asks before what was typed is thrown away. */
function AskToDiscard({ onKeep, onDiscard }: { onKeep: () => void; onDiscard: () => void }) {
  return (
    <Dialog
      title="Discard what you typed?"
      width="sm"
      onClose={onKeep}
      foot={
        <>
          <Button class="push" onClick={onKeep}>
            Keep editing
          </Button>
          <Button kind="confirm" onClick={onDiscard}>
            Discard
          </Button>
        </>
      }
    >
      <p class="c2">It was not sent, and is kept nowhere.</p>
    </Dialog>
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
  /** False while something is to be chosen in what it shows. */
  ready?: boolean;
  onConfirm: (extra: boolean) => Promise<void>;
  onClose: () => void;
}

/** Asks before something that cannot be taken back. */
export function ConfirmDanger({
  title,
  children,
  typed,
  action,
  extra,
  ready = true,
  onConfirm,
  onClose,
}: ConfirmProps) {
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
      <Button kind="confirm" busy={busy} disabled={!ready || (needsName && text !== typed)} onClick={confirm}>
        {action}
      </Button>
    </>
  );
  return (
    <Dialog title={title} onClose={onClose} width="sm" foot={foot} isProof>
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
