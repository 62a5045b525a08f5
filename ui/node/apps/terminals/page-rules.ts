/**
 * The page's rules let in no styles but its own, which carry its mark. The terminal writes its colours as styles while it runs, so what
 * it makes is given that mark, and styles of single letters go the way that the rules allow.
 */
export function underPageRules(page: Document): Document {
  const mark = page.querySelector<HTMLElement>("script[nonce]")?.nonce ?? "";
  const make = (name: string): HTMLElement => {
    const element = page.createElement(name);
    if (name === "style") element.nonce = mark;
    return element;
  };
  return new Proxy(page, {
    get(target, key) {
      if (key === "createElement") return make;
      const value: unknown = Reflect.get(target, key, target);
      return typeof value === "function" ? value.bind(target) : value;
    },
    set: (target, key, value) => Reflect.set(target, key, value, target),
  });
}

/** Lets spans take a style as text, which is set by its rules one by one and means the same. */
export function allowSpanStyles(): void {
  const plain = Element.prototype.setAttribute;
  HTMLSpanElement.prototype.setAttribute = function setAttribute(this: HTMLSpanElement, name: string, value: string) {
    if (name === "style") this.style.cssText = value;
    else plain.call(this, name, value);
  };
}
