/** One star: place as a share of the window, size in px, own pace and own rhythm. */
export interface Star {
  x: number;
  y: number;
  size: number;
  /** Shares of the window's width in a second. */
  speed: number;
  /** Radians at time 0, and radians in a second. */
  phase: number;
  rhythm: number;
}

const FRAME_MS = 1000 / 30;
const SLOW_MS = 2;
const LOW_BATTERY = 0.2;

/** The same sky for every visit: `count` stars from a fixed series of numbers. */
export function makeStars(count: number): Star[] {
  let state = 20_261_121;
  const draw = (): number => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
  return Array.from({ length: count }, () => {
    // Few stars are near; near ones are larger and faster.
    const nearness = draw() ** 3;
    return {
      x: draw(),
      y: draw(),
      size: 1 + nearness * 1.4,
      speed: 0.001 + nearness * 0.005,
      phase: draw() * 2 * Math.PI,
      rhythm: 0.3 + draw() * 0.9,
    };
  });
}

/** Where a star is at `seconds` and how bright, from 0.15 to 0.85. It leaves on the left and comes back on the right. */
export function starAt(star: Star, seconds: number): { x: number; y: number; light: number } {
  const x = (((star.x - star.speed * seconds) % 1) + 1) % 1;
  return { x, y: star.y, light: 0.5 + 0.35 * Math.sin(star.phase + star.rhythm * seconds) };
}

/**
 * True as soon as two frames in a row took longer than 2 ms to draw: then the sky is too dear for this machine and stands
 * still.
 */
export function createSlowGuard(): (drawMs: number) => boolean {
  let slow = 0;
  return (drawMs) => {
    slow = drawMs > SLOW_MS ? slow + 1 : 0;
    return slow >= 2;
  };
}

/**
 * Draws the sky on a canvas, at most 30 times a second and never in a hidden page; returns the way to stop. It stands still
 * after two slow frames and on a battery that runs low.
 */
export function startStars(canvas: HTMLCanvasElement): () => void {
  const pen = canvas.getContext("2d");
  if (!pen) return () => {};
  const stars = makeStars(140);
  const isTooSlow = createSlowGuard();
  let frame = 0;
  let last = 0;
  let isOver = false;

  function paint(now: number): void {
    frame = requestAnimationFrame(paint);
    if (now - last < FRAME_MS - 1 || !pen) return;
    last = now;
    const begun = performance.now();
    const { clientWidth: width, clientHeight: height } = canvas;
    // One canvas pixel for each CSS pixel: a finer canvas costs up to four times as much, and stars are points.
    if (canvas.width !== width || canvas.height !== height) [canvas.width, canvas.height] = [width, height];
    pen.clearRect(0, 0, width, height);
    pen.fillStyle = getComputedStyle(canvas).color;
    for (const star of stars) {
      const { x, y, light } = starAt(star, now / 1000);
      pen.globalAlpha = light;
      pen.fillRect(x * width, y * height, star.size, star.size);
    }
    if (isTooSlow(performance.now() - begun)) stop();
  }
  const follow = (): void => {
    cancelAnimationFrame(frame);
    if (!document.hidden && !isOver) frame = requestAnimationFrame(paint);
  };
  const stop = (): void => {
    isOver = true;
    cancelAnimationFrame(frame);
    document.removeEventListener("visibilitychange", follow);
  };
  document.addEventListener("visibilitychange", follow);
  follow();
  isBatteryLow().then(
    (isLow) => isLow && stop(),
    () => {},
  );
  return stop;
}

/** Browsers do not tell whether a battery saver is on; below 20 % without a charger they usually turn it on. */
async function isBatteryLow(): Promise<boolean> {
  if (!("getBattery" in navigator) || typeof navigator.getBattery !== "function") return false;
  const { charging, level } = await navigator.getBattery();
  return charging === false && level < LOW_BATTERY;
}
