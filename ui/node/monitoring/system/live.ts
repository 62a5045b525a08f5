import { computed, effect, signal } from "@preact/signals";
import type { LiveMetrics } from "../../../../src/node/monitoring/system/contract.ts";
import { onNewcomer, onShared, share, whenLeading } from "../../../client/leader.ts";
import { isRecord } from "../../../client/problem.ts";
import { api } from "../../client/api.ts";
import { user } from "../../client/session.ts";

/** How many seconds the small charts hold. */
export const liveLength = 120;
const idleAfterMs = 600_000;

/** Newest sample last; empty until the first answer. */
export const samples = signal<LiveMetrics[]>([]);

let lastInput = 0;
let started = false;

/**
 * Starts the 1 Hz samples: one visible tab asks, all tabs see them. After 10 minutes without input it asks every 5 s, and not at all
 * while nobody is signed in.
 */
export function startLive(): void {
  if (started) return;
  started = true;
  lastInput = Date.now();
  for (const type of ["pointermove", "keydown", "scroll"]) {
    addEventListener(type, () => (lastInput = Date.now()), { passive: true, capture: true });
  }
  onShared((topic, value) => {
    if (topic === "live" && isSample(value)) samples.value = [...samples.peek(), value].slice(-liveLength);
    if (topic === "live-past" && Array.isArray(value) && samples.peek().length === 0)
      samples.value = value.filter(isSample);
  });
  onNewcomer(() => share("live-past", samples.peek()));
  const isSomebodyHere = computed(() => Boolean(user.value));
  effect(() => (isSomebodyHere.value ? whenLeading(lead) : undefined));
}

function lead(): () => void {
  const abort = new AbortController();
  void poll(abort.signal);
  return () => abort.abort();
}

async function poll(signal: AbortSignal): Promise<void> {
  let beat = 0;
  while (!signal.aborted) {
    const resting = Date.now() - lastInput > idleAfterMs;
    if (!resting || beat % 5 === 0) await sample(signal);
    beat += 1;
    await new Promise((resolve) => setTimeout(resolve, 1000));
  }
}

async function sample(signal: AbortSignal): Promise<void> {
  const taken = await api("GET /api/system/metrics/live", { signal }).catch(() => null);
  if (taken !== null && !signal.aborted) share("live", taken);
}

function isSample(value: unknown): value is LiveMetrics {
  return isRecord(value) && typeof value["cpu_percent"] === "number" && isRecord(value["net"]);
}
