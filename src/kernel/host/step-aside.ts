import { setPriority } from "node:os";

const CALLING_THREAD = 0;
/** As nice as can be. Linux reckons a thread's turn at a disk from it, too: this is the last of the ordinary ones. */
const NICEST = 19;

/**
 * From now on whatever else has work to do on this machine goes before the calling thread, at its processors and at its disks. For a
 * thread of its own whose work nobody waits for: without the right to do so a program cannot take it back.
 *
 * Not the idle class: who wakes up counts a processor with such work as free, waits there, and at times for a whole tick.
 */
export function stepAside(): void {
  setPriority(CALLING_THREAD, NICEST);
}
