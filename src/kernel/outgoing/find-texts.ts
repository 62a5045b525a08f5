import { Resolver } from "node:dns/promises";

/** The texts that a name has in the DNS; none for a name without. */
export type ResolveTexts = (name: string) => Promise<string[]>;

/** Asks the name servers of this machine. Rejects when none of them answers. */
export const askTexts: ResolveTexts = async (name) => {
  const resolver = new Resolver({ timeout: 3_000, tries: 2 });
  try {
    return (await resolver.resolveTxt(name)).map((parts) => parts.join(""));
  } catch (error) {
    const code = error instanceof Error && "code" in error ? error.code : null;
    if (code === "ENOTFOUND" || code === "ENODATA") return [];
    throw error;
  }
};
