import type { Terminal } from "@xterm/xterm";
import type { RefObject } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { asProblem } from "../../client/problem.ts";
import type { Connect, Connection, TerminalNews } from "./connection.ts";
import { makeScreen } from "./screen.ts";

export interface TerminalState {
  is: "opening" | "open" | "over";
  /** Why it is over, or will be soon; null when there is nothing to say. */
  words: string | null;
  /** Whether what it shows is kept for others to see. */
  isRecorded: boolean;
  /** Nobody ended it, and it had been open for a while: a new one is worth a try. */
  isLost: boolean;
  /** It never opened, for the reason that `words` tell. */
  isRefused: boolean;
}

const OPENING: TerminalState = { is: "opening", words: null, isRecorded: false, isLost: false, isRefused: false };

/** A terminal that was open for a shorter time is not opened again by itself: that could go on for ever. */
const WORTH_MS = 5_000;

interface Options {
  label: string;
  /** Told when the keyboard is to leave the terminal. */
  onLeave: () => void;
}

export interface TerminalHandle {
  state: TerminalState;
  /** `keeps`: what is on the screen stays, and what is new comes below. */
  open(connect: Connect, keeps?: boolean): void;
  close(): void;
  /** As if it were typed. */
  type(text: string): void;
  focus(): void;
  setReadable(isReadable: boolean): void;
}

/** A terminal in `host`, on whatever it is opened with. */
export function useTerminal(host: RefObject<HTMLDivElement | null>, { label, onLeave }: Options): TerminalHandle {
  const [state, setState] = useState<TerminalState>(OPENING);
  const screen = useRef<Terminal | null>(null);
  const connection = useRef<Connection | null>(null);
  const round = useRef(0);
  const openedAt = useRef(0);

  useEffect(() => {
    const place = host.current;
    if (place === null) return;
    const [terminal, dispose] = makeScreen(place, {
      label,
      onLeave,
      onData: (text) => connection.current?.type(text),
      onResize: ({ cols, rows }) => connection.current?.resize(cols, rows),
    });
    screen.current = terminal;
    return () => {
      screen.current = null;
      dispose();
    };
  }, [label]);

  const end = (): void => {
    round.current += 1;
    connection.current?.close();
    connection.current = null;
  };
  useEffect(() => end, []);

  // The first word about the end is the best one.
  const endWith = (words: string, { isLost = false, isRefused = false } = {}): void =>
    setState((now) => (now.is === "over" ? now : { ...now, is: "over", words, isLost, isRefused }));

  const hear = (news: TerminalNews): void => {
    const terminal = screen.current;
    if (news.is === "ready") {
      openedAt.current = performance.now();
      setState({ ...OPENING, is: "open", isRecorded: news.recorded });
      if (terminal !== null) connection.current?.resize(terminal.cols, terminal.rows);
      terminal?.focus();
    } else if (news.is === "warning") setState((now) => ({ ...now, is: "open", words: wordsOfWarning(news.reason) }));
    else endWith(news.words, { isLost: news.isLost === true && performance.now() - openedAt.current > WORTH_MS });
    if (news.is === "over" && news.hide === true) terminal?.reset();
  };

  const open = async (connect: Connect, keeps: boolean): Promise<void> => {
    end();
    const own = round.current;
    const isOurs = (): boolean => own === round.current;
    setState(OPENING);
    try {
      const terminal = screen.current;
      if (keeps) terminal?.write("\r\n\r\n");
      else terminal?.reset();
      const size = { columns: terminal?.cols ?? 80, rows: terminal?.rows ?? 24 };
      const opened = await connect(size, {
        tell: (news) => isOurs() && hear(news),
        show: (bytes, taken) => isOurs() && screen.current?.write(bytes, taken),
      });
      if (isOurs()) connection.current = opened;
      else opened.close();
    } catch (error) {
      if (isOurs()) endWith(asProblem(error).message, { isRefused: true });
    }
  };

  return {
    state,
    open: (connect, keeps = false) => void open(connect, keeps),
    close() {
      end();
      endWith("You closed the terminal. What ran in it was ended.");
    },
    type(text) {
      connection.current?.type(text);
      screen.current?.focus();
    },
    focus: () => screen.current?.focus(),
    setReadable(isReadable) {
      if (screen.current !== null) screen.current.options.screenReaderMode = isReadable;
    },
  };
}

const wordsOfWarning = (reason: string): string =>
  reason === "idle"
    ? "Nothing was typed for 14 minutes: it closes in one minute. Type anything to keep it."
    : "It has been open for nearly two hours, the longest there is: it closes in one minute.";
