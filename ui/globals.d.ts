/** Address of the icon sprite, set by the build. */
declare const SPRITE_URL: string;
/** Address of the sprite with the marks of apps, set by the build; empty where a program has none. */
declare const BRANDS_URL: string;

/** Styles that a screen brings along, as text for `adoptStyles`. */
declare module "*-late.css" {
  const text: string;
  export default text;
}
