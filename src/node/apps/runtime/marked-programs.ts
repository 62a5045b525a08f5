/** Finds what runs with a variable of that value, and sends it a signal; what ended meanwhile is no fault. */
const TELL = `for each in /proc/[0-9]*; do
  tr '\\0' '\\n' <"$each/environ" 2>/dev/null | grep -qx "$1" && kill "-$2" "\${each#/proc/}"
done 2>/dev/null; true`;

/**
 * What sends a signal to all programs in a container that were begun with a variable, such as `ORRERY_DUMP=db.sql`: Docker lets a program
 * go on that nobody reads any more. A container without a shell cannot do it.
 */
export const tellMarked = (mark: string, signal: "HUP" | "KILL"): string[] => ["sh", "-c", TELL, "sh", mark, signal];
