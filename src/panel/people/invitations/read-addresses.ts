import { kernelFail } from "../../../kernel/http/errors.ts";
import { lookedFor } from "../../addresses.ts";
import { isNewEmail } from "../../schemas.ts";

/**
 * The addresses of a list, or of a text as people paste it: between commas, semicolons or lines, with names or without. Each once, in
 * the form by which they are kept, in their order. Throws `invalid_request` for none and for more than `most`.
 */
export function readAddresses(given: string | readonly string[], most: number): { right: string[]; wrong: string[] } {
  const pieces =
    typeof given === "string" ? given.split(/[,;\r\n]+/).flatMap(splitWords) : given.map((one) => one.trim());
  const all = [...new Set(pieces.filter((piece) => piece !== "").map(lookedFor))];
  if (all.length === 0)
    throw kernelFail("invalid_request", { field: "emails", reason: "must have at least one address" });
  if (all.length > most)
    throw kernelFail("invalid_request", { field: "emails", reason: `must have at most ${most} addresses` });
  return { right: all.filter(isNewEmail), wrong: all.filter((one) => !isNewEmail(one)) };
}

/** `Ada Byron <ada@example.org>` is one address, `ada@example.org bart@example.org` are two. */
function splitWords(piece: string): string[] {
  const inBrackets = /<([^<>]*)>\s*$/.exec(piece)?.[1];
  return inBrackets === undefined ? piece.trim().split(/\s+/) : [inBrackets.trim()];
}
