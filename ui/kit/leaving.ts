/** Each says whether it keeps the page where it is, and then shows why. */
const keepers: (() => boolean)[] = [];

/** Has `keeps` asked before Back, Forward or a link leads away; gives the way to end that. */
export function keepFromLeaving(keeps: () => boolean): () => void {
  keepers.push(keeps);
  return () => {
    keepers.splice(keepers.indexOf(keeps), 1);
  };
}

/** Whether nothing on the page would be lost; the one that came last is asked first, and alone shows why not. */
export function mayLeave(): boolean {
  return !keepers.toReversed().some((keeps) => keeps());
}
