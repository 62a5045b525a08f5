import { look } from "./preferences.ts";

/** Frequencies in Hz, one after the other. */
const tones = { ask: [660, 880], done: [520, 660], bad: [330, 247] };
const toneS = 0.08;

/** Plays a short tone where the account wants sounds; `always` for trying them. Silent where the browser forbids it. */
export function play(kind: keyof typeof tones, always = false): void {
  if (!always && !look.peek().sounds) return;
  try {
    const audio = new AudioContext();
    const volume = audio.createGain();
    volume.gain.value = 0.05;
    volume.connect(audio.destination);
    for (const [index, frequency] of tones[kind].entries()) {
      const tone = audio.createOscillator();
      tone.frequency.value = frequency;
      tone.connect(volume);
      tone.start(audio.currentTime + index * toneS);
      tone.stop(audio.currentTime + (index + 1) * toneS);
      if (index > 0) tone.onended = () => void audio.close();
    }
  } catch {
    return;
  }
}
