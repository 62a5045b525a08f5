/** Something that features fill and one of them reads: blocks of an overview, words for names, ways to begin an app. */
export interface List<Item> {
  add(item: Item): void;
  /** What has been added, in boot order. Asked while the program runs, when every feature has been made. */
  all(): readonly Item[];
}

/** An empty list. */
export function createList<Item>(): List<Item> {
  const items: Item[] = [];
  return { add: (item) => void items.push(item), all: () => items };
}
