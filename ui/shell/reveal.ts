/** How long a page may take to show what is looked for. */
const patienceMs = 8000;
const markMs = 2400;
let stopBefore = (): void => {};

/** Shows where something stands on the page that is opening: a card by its title, or a row by a text in it. */
export function reveal({ card, row }: { card?: string; row?: string }): void {
  stopBefore();
  if (card === undefined && row === undefined) return;
  const find = (): HTMLElement | null => (card === undefined ? findRow(row ?? "") : findCard(card));
  const look = (): void => {
    const found = find();
    if (found === null) return;
    stop();
    show(found);
  };
  const watch = new MutationObserver(look);
  const timer = setTimeout(() => stop(), patienceMs);
  const stop = (): void => {
    watch.disconnect();
    clearTimeout(timer);
  };
  stopBefore = stop;
  watch.observe(document.body, { childList: true, subtree: true, characterData: true });
  // After the focus has gone to the start of the page.
  requestAnimationFrame(() => requestAnimationFrame(look));
}

const inPage = (selector: string): HTMLElement[] => [...document.querySelectorAll<HTMLElement>(`#main ${selector}`)];
const textOf = (element: Element): string => element.textContent.trim();

function findCard(title: string): HTMLElement | null {
  const heading = inPage(".card > .card-h > h2").find((element) => textOf(element) === title);
  return heading?.closest<HTMLElement>(".card") ?? null;
}

function findRow(text: string): HTMLElement | null {
  const rows = inPage(":is(tbody tr, li, .item)");
  return rows.find((element) => textOf(element).includes(text)) ?? null;
}

function show(found: HTMLElement): void {
  const target = found.querySelector<HTMLElement>(".card-h > h2, a, button") ?? found;
  if (target.tabIndex < 0) target.tabIndex = -1;
  target.focus({ preventScroll: true });
  found.scrollIntoView({ block: "center" });
  found.classList.add("revealed");
  setTimeout(() => found.classList.remove("revealed"), markMs);
}
