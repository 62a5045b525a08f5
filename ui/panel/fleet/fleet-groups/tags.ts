/** Tags from what was typed: spaces and commas part them, each counts once. */
export function readTags(text: string): string[] {
  return [...new Set(text.split(/[\s,]+/).filter(Boolean))];
}

/** The tags of a node and others, each once, in their order. */
export function addTags(own: readonly string[], others: readonly string[]): string[] {
  return [...new Set([...own, ...others])];
}
