/** How long a run of digits can be and still sort by its value. */
const DIGITS = 12;

/**
 * A text whose plain order is the order people expect: letters without case, numbers by their value (`web-9` before
 * `web-10`).
 */
export function naturalKey(text: string): string {
  return text.toLowerCase().replace(/\d+/g, (digits) => digits.replace(/^0+(?=\d)/, "").padStart(DIGITS, "0"));
}

/** The same for versions: one that is not released yet (`1.4.0-rc.1`) stands before its release. */
export function versionKey(version: string): string {
  const [core = "", ...rest] = version.replace(/^v(?=\d)/, "").split("-");
  // The tilde comes after everything that a version may hold.
  return naturalKey(rest.length === 0 ? `${core}~` : `${core}-${rest.join("-")}`);
}
