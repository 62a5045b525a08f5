/** What nobody sees, after a sign that makes an address of what stands around it. */
const BREAK = "\u200b";

/** A name as a text for others has it: no program makes a link, or an address to write to, of what somebody called themselves. */
export const unlinked = (name: string): string => name.replace(/:(?=\/)|[.@。．｡＠](?=[\p{L}\p{N}])/gu, `$&${BREAK}`);
