import { effect } from "@preact/signals";
import { FitAddon } from "@xterm/addon-fit";
import { Terminal } from "@xterm/xterm";
import type { RefObject } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { look } from "../../../client/preferences.ts";
import { asProblem } from "../../../client/problem.ts";
import { api } from "../../client/api.ts";
import { readColours } from "./colours.ts";
import { allowSpanStyles, underPageRules } from "./page-rules.ts";
import { openTerminalSocket, type TerminalSocket, type TerminalWord } from "./terminal-socket.ts";

allowSpanStyles();

/** What to run, and as whom; left out, the best shell as the container's own user. */
export interface Wish {
  command?: string[];
  user?: string;
}

export interface TerminalState {
  is: "opening" | "open" | "over";
  /** Why it is over, or will be soon; null when there is nothing to say. */
  words: string | null;
}

interface Options {
  container: string;
  label: string;
  /** Told when the keyboard is to leave the terminal. */
  onLeave: () => void;
}

export interface TerminalHandle {
  state: TerminalState;
  open(wish: Wish): void;
  close(): void;
  /** As if it were typed. */
  type(text: string): void;
  focus(): void;
  setReadable(isReadable: boolean): void;
}

const scrollback = 5000;

/** A terminal in `host` on a program in a container. */
export function useTerminal(
  host: RefObject<HTMLDivElement | null>,
  { container, label, onLeave }: Options,
): TerminalHandle {
  const [state, setState] = useState<TerminalState>({ is: "opening", words: null });
  const screen = useRef<Terminal | null>(null);
  const socket = useRef<TerminalSocket | null>(null);
  const round = useRef(0);

  useEffect(() => {
    const place = host.current;
    if (place === null) return;
    const terminal = new Terminal({
      documentOverride: underPageRules(document),
      fontFamily: getComputedStyle(place).fontFamily,
      fontSize: 13,
      // Programs choose colours without knowing what they stand on.
      minimumContrastRatio: 4.5,
      scrollback,
      theme: readColours(place),
    });
    const fit = new FitAddon();
    terminal.loadAddon(fit);
    terminal.open(place);
    terminal.textarea?.setAttribute("aria-label", label);
    terminal.onData((text) => socket.current?.type(text));
    terminal.onResize(({ cols, rows }) => socket.current?.resize(cols, rows));
    terminal.attachCustomKeyEventHandler((event) => {
      // Keys of the page have no meaning here: Ctrl+K belongs to the shell.
      event.stopPropagation();
      if (event.key !== "F6" || !event.shiftKey) return true;
      event.preventDefault();
      if (event.type === "keydown") onLeave();
      return false;
    });
    let frame = 0;
    const watcher = new ResizeObserver(() => {
      cancelAnimationFrame(frame);
      frame = requestAnimationFrame(() => fit.fit());
    });
    watcher.observe(place);
    const stopLook = effect(() => {
      look.value;
      requestAnimationFrame(() => {
        if (screen.current !== null) terminal.options.theme = readColours(place);
      });
    });
    screen.current = terminal;
    return () => {
      stopLook();
      watcher.disconnect();
      cancelAnimationFrame(frame);
      screen.current = null;
      terminal.dispose();
    };
  }, [label]);

  const end = (): void => {
    round.current += 1;
    socket.current?.close();
    socket.current = null;
  };
  useEffect(() => end, [container]);

  const hear = (word: TerminalWord): void => {
    const terminal = screen.current;
    if (word.type === "ready") {
      setState({ is: "open", words: null });
      if (terminal !== null) socket.current?.resize(terminal.cols, terminal.rows);
      terminal?.focus();
    } else if (word.type === "warning") setState({ is: "open", words: wordsOfWarning(word.reason) });
    else if (word.type === "closed") setState((now) => (now.is === "over" ? now : { is: "over", words: lost }));
    else setState({ is: "over", words: word.type === "exit" ? wordsOfExit(word.exit_code) : word.message });
    // What others could read over the shoulder goes with a terminal that nobody sits at.
    if (word.type === "ended" && ["idle", "access_ended"].includes(word.reason)) terminal?.reset();
  };

  const open = async (wish: Wish): Promise<void> => {
    end();
    const own = round.current;
    const isOurs = (): boolean => own === round.current;
    setState({ is: "opening", words: null });
    try {
      const { ticket } = await api("POST /api/containers/{id}/exec", { path: { id: container }, body: wish });
      if (!isOurs()) return;
      screen.current?.reset();
      socket.current = openTerminalSocket({
        url: `${location.origin.replace(/^http/, "ws")}/ws/containers/${encodeURIComponent(container)}/exec?ticket=${ticket}`,
        onBytes: (bytes, taken) => screen.current?.write(bytes, taken),
        onWord: (word) => isOurs() && hear(word),
      });
    } catch (error) {
      if (isOurs()) setState({ is: "over", words: asProblem(error).message });
    }
  };
  return {
    state,
    open: (wish) => void open(wish),
    close() {
      end();
      setState({ is: "over", words: "You closed the terminal. What ran in it was ended." });
    },
    type(text) {
      socket.current?.type(text);
      screen.current?.focus();
    },
    focus: () => screen.current?.focus(),
    setReadable(isReadable) {
      if (screen.current !== null) screen.current.options.screenReaderMode = isReadable;
    },
  };
}

const lost = "The connection is gone, and the shell ended with it. What you open next is a new one.";

const wordsOfExit = (code: number | null): string =>
  code === null || code === 0 ? "The shell has ended." : `The shell has ended with exit code ${code}.`;

const wordsOfWarning = (reason: string): string =>
  reason === "idle"
    ? "Nothing was typed for 14 minutes: it closes in one minute. Type anything to keep it."
    : "It has been open for nearly two hours, the longest there is: it closes in one minute.";
