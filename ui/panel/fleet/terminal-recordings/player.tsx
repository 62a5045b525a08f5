import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { Button, IconButton } from "../../../kit/button.tsx";
import { Select, Switch } from "../../../kit/choice.tsx";
import { copyText } from "../../../kit/copy.tsx";
import { Search } from "../../../kit/field.tsx";
import { toast } from "../../../kit/toasts.ts";
import { type Cast, findText, withoutIdle } from "./cast.ts";
import { makePlayback, type Playback } from "./screen.ts";

const speeds = [
  { value: "1", label: "1×" },
  { value: "2", label: "2×" },
  { value: "5", label: "5×" },
  { value: "10", label: "10×" },
] as const;

const clockOf = (seconds: number): string =>
  `${Math.floor(seconds / 60)}:${String(Math.floor(seconds % 60)).padStart(2, "0")}`;

/** Plays a recording from a moment on. `linkTo` gives the address of a moment. */
export function Player({ cast: whole, from, linkTo }: { cast: Cast; from: number; linkTo: (at: number) => string }) {
  const host = useRef<HTMLDivElement>(null);
  const playback = useRef<Playback | null>(null);
  const [skips, setSkips] = useState(false);
  const cast = useMemo(() => (skips ? withoutIdle(whole) : whole), [whole, skips]);
  const [at, setAt] = useState(Math.min(from, whole.duration));
  const [isPlaying, setPlaying] = useState(false);
  const [speed, setSpeed] = useState<(typeof speeds)[number]["value"]>("1");
  const [text, setText] = useState("");
  useEffect(() => {
    if (host.current === null) return;
    const made = makePlayback(host.current, cast, "What the terminal showed");
    playback.current = made;
    setAt((now) => Math.min(now, cast.duration));
    return () => {
      playback.current = null;
      made.dispose();
    };
  }, [cast]);
  useEffect(() => playback.current?.showAt(at), [at, cast]);
  useEffect(() => {
    if (!isPlaying) return;
    let last = performance.now();
    let frame = requestAnimationFrame(function step(now) {
      const passed = ((now - last) / 1000) * Number(speed);
      last = now;
      setAt((before) => Math.min(cast.duration, before + passed));
      frame = requestAnimationFrame(step);
    });
    return () => cancelAnimationFrame(frame);
  }, [isPlaying, speed, cast]);
  useEffect(() => {
    if (at >= cast.duration) setPlaying(false);
  }, [at, cast]);
  const find = (): void => {
    const found = text.trim() === "" ? null : findText(cast, text.trim(), at);
    if (found !== null) setAt(found);
    else if (text.trim() !== "") toast(`"${text.trim()}" is nowhere in this recording.`);
  };
  const copyLink = async (): Promise<void> => {
    if (await copyText(linkTo(at))) toast("The link to this moment is copied.");
  };
  return (
    <section class="card termcard" aria-label="Recording">
      <div class="termbar recording-bar">
        <Button
          size="sm"
          kind="primary"
          onClick={() => {
            if (at >= cast.duration) setAt(0);
            setPlaying(!isPlaying);
          }}
        >
          {isPlaying ? "Pause" : "Play"}
        </Button>
        <input
          type="range"
          class="recording-range"
          aria-label="Position"
          aria-valuetext={`${clockOf(at)} of ${clockOf(cast.duration)}`}
          min={0}
          max={cast.duration}
          step="any"
          value={at}
          onInput={({ currentTarget }) => setAt(Number(currentTarget.value))}
        />
        <span class="t12 c3 mono">
          {clockOf(at)} / {clockOf(cast.duration)}
        </span>
        <Select size="sm" label="Speed" value={speed} options={[...speeds]} onValue={setSpeed} />
        <IconButton icon="link" size="sm" label="Copy a link to this moment" onClick={() => void copyLink()} />
      </div>
      <form
        class="termbar recording-bar"
        onSubmit={(event) => {
          event.preventDefault();
          find();
        }}
      >
        <span class="searchbox">
          <Search quiet label="Find in the recording" value={text} onValue={setText} />
        </span>
        <Button size="sm" type="submit" disabled={text.trim() === ""}>
          Next
        </Button>
        <Switch checked={skips} onChecked={setSkips}>
          Skip idle time
        </Switch>
      </form>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what may scroll must be reachable by keyboard. */}
      <div class="scroll recording-screen" tabIndex={0}>
        <div class="termhost recording-host" ref={host} />
      </div>
    </section>
  );
}
