/**
 * What nobody sees, or what turns the text around it: control characters, separators of lines, bidirectional marks and
 * overrides, characters without width, fillers, tags, halves of surrogate pairs. Names that differ in these only look alike.
 */
const HIDDEN = [
  "[\\u0000-\\u001f\\u007f-\\u009f\\u00ad\\u034f\\u061c\\u115f\\u1160\\u17b4\\u17b5\\u180b-\\u180f\\u200b-\\u200f]",
  "[\\u2028-\\u202e\\u2060-\\u206f\\u3164\\ufeff\\uffa0\\ufff0-\\ufffb\\udb40]",
  "[\\ud800-\\udbff](?![\\udc00-\\udfff])",
  "(?<![\\ud800-\\udbff])[\\udc00-\\udfff]",
].join("|");

/** Pattern of one character of a class that is not hidden; any unless told. */
export const plainCharacter = (of = "[^]"): string => `(?:(?!${HIDDEN})${of})`;

/** Pattern of a text on one line without hidden characters; an empty one too. */
export const PLAIN_TEXT = `^${plainCharacter()}*$`;

/** Pattern of a name: such a text with something in it that is seen. */
export const PLAIN_NAME = `^(?=[^]*\\S)${plainCharacter()}*$`;
