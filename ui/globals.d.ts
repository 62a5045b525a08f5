/** Address of the icon sprite, set by the build. */
declare const SPRITE_URL: string;
