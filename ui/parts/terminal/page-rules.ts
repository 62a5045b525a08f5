/**
 * The page's rules let in no styles but its own, which carry its mark. The terminal writes its colours as styles while it runs, so what
 * it makes is given that mark, and styles of single letters go the way that the rules allow.
 */
export function underPageRules(page: Document): Document {
  const make = markedMaker(page);
  return new Proxy(page, {
    get(target, key) {
      if (key === "createElement") return make;
      const value: unknown = Reflect.get(target, key, target);
      return typeof value === "function" ? value.bind(target) : value;
    },
    set: (target, key, value) => Reflect.set(target, key, value, target),
  });
}

/** The same while `work` runs, for a part of the terminal that asks the page itself whatever document it is given. */
export function whileMarked(page: Document, work: () => void): void {
  Object.defineProperty(page, "createElement", { value: markedMaker(page), configurable: true });
  try {
    work();
  } finally {
    Reflect.deleteProperty(page, "createElement");
  }
}

/** Makes elements, styles with the page's mark. */
function markedMaker(page: Document): (name: string) => HTMLElement {
  const mark = page.querySelector<HTMLElement>("script[nonce]")?.nonce ?? "";
  const plain = page.createElement.bind(page);
  return (name) => {
    const element = plain(name);
    if (name === "style") element.nonce = mark;
    return element;
  };
}

/** Lets spans take a style as text, which is set by its rules one by one and means the same. */
export function allowSpanStyles(): void {
  const plain = Element.prototype.setAttribute;
  HTMLSpanElement.prototype.setAttribute = function setAttribute(this: HTMLSpanElement, name: string, value: string) {
    if (name === "style") this.style.cssText = value;
    else plain.call(this, name, value);
  };
}
