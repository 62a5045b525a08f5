/**
 * Gives the page the styles of a screen that most visits do not see. They come with the screen instead of with the page, in the layer that
 * they name themselves.
 */
export function adoptStyles(text: string): void {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(text);
  document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet];
}
