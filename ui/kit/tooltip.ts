/**
 * Shows `data-tip` texts for mouse and keyboard, from one element for the whole page. The text is also the accessible name of the
 * control, so screen readers do not need it. Returns the way to stop.
 */
export function startTooltips(): () => void {
  const tip = document.createElement("div");
  tip.className = "tooltip";
  tip.setAttribute("popover", "manual");
  tip.setAttribute("aria-hidden", "true");
  document.body.append(tip);
  let timer: ReturnType<typeof setTimeout> | undefined;

  const hide = (): void => {
    clearTimeout(timer);
    if (tip.matches(":popover-open")) tip.hidePopover();
  };
  const show = (target: Element, wait: number): void => {
    clearTimeout(timer);
    timer = setTimeout(() => {
      const text = target.getAttribute("data-tip");
      if (text === null || !target.isConnected || target.getAttribute("aria-expanded") === "true") return;
      tip.textContent = text;
      tip.showPopover();
      const at = target.getBoundingClientRect();
      const left = Math.max(
        8,
        Math.min(at.left + at.width / 2 - tip.offsetWidth / 2, innerWidth - tip.offsetWidth - 8),
      );
      const below = at.bottom + 6;
      tip.style.left = `${left}px`;
      tip.style.top = `${below + tip.offsetHeight > innerHeight ? at.top - tip.offsetHeight - 6 : below}px`;
    }, wait);
  };
  const find = (event: Event): Element | null =>
    event.target instanceof Element ? event.target.closest("[data-tip]") : null;
  const over = (event: PointerEvent): void => {
    if (event.pointerType !== "mouse") return;
    const target = find(event);
    if (target === null) hide();
    else show(target, 400);
  };
  const focus = (event: FocusEvent): void => {
    const target = find(event);
    if (target?.matches(":focus-visible")) show(target, 0);
  };
  document.addEventListener("pointerover", over);
  document.addEventListener("focusin", focus);
  for (const type of ["focusout", "pointerdown", "keydown"]) document.addEventListener(type, hide);
  return () => {
    document.removeEventListener("pointerover", over);
    document.removeEventListener("focusin", focus);
    for (const type of ["focusout", "pointerdown", "keydown"]) document.removeEventListener(type, hide);
    tip.remove();
  };
}
