/** A piece of a log line with the colours a program asked for. */
export interface AnsiSpan {
  text: string;
  /** Space-separated classes such as "a-red a-bold"; empty for plain text. */
  class: string;
}

const colours = ["black", "red", "green", "yellow", "blue", "magenta", "cyan", "white"];
// CSI sequences, OSC sequences (titles, links), other two-byte escapes and lone control characters.
const escapes =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: escape sequences are control characters.
  /\u001b\[([0-9;:]*)([@-~])|\u001b\][^\u0007\u001b]*(?:\u0007|\u001b\\)|\u001b[@-Z\\-_]|[\u0000-\u0008\u000b-\u001a\u001c-\u001f\u007f]/g;

/** Splits a line into spans by its SGR codes; every other escape is dropped. Nothing is ever read as HTML. */
export function parseAnsi(line: string): AnsiSpan[] {
  const spans: AnsiSpan[] = [];
  let style = { colour: "", bold: false, dim: false, italic: false, underline: false };
  let last = 0;
  const push = (text: string): void => {
    if (text === "") return;
    const names = [
      style.colour,
      style.bold ? "a-bold" : "",
      style.dim ? "a-dim" : "",
      style.italic ? "a-italic" : "",
      style.underline ? "a-under" : "",
    ];
    const classes = names.filter(Boolean).join(" ");
    const before = spans.at(-1);
    if (before?.class === classes) before.text += text;
    else spans.push({ text, class: classes });
  };
  for (const match of line.matchAll(escapes)) {
    push(line.slice(last, match.index));
    last = match.index + match[0].length;
    if (match[2] === "m") style = applyCodes(style, match[1] ?? "");
  }
  push(line.slice(last));
  return spans;
}

type Style = { colour: string; bold: boolean; dim: boolean; italic: boolean; underline: boolean };

function applyCodes(before: Style, text: string): Style {
  let style = { ...before };
  const codes = text.split(/[;:]/).map((code) => Number(code === "" ? 0 : code));
  for (let index = 0; index < codes.length; index += 1) {
    const code = codes[index] ?? 0;
    if (code === 0) style = { colour: "", bold: false, dim: false, italic: false, underline: false };
    else if (code === 1) style.bold = true;
    else if (code === 2) style.dim = true;
    else if (code === 3) style.italic = true;
    else if (code === 4) style.underline = true;
    else if (code === 22) style = { ...style, bold: false, dim: false };
    else if (code === 23) style.italic = false;
    else if (code === 24) style.underline = false;
    else if (code === 39) style.colour = "";
    else if (code >= 30 && code <= 37) style.colour = `a-${colours[code - 30]}`;
    else if (code >= 90 && code <= 97) style.colour = code === 90 ? "a-dim" : `a-${colours[code - 90]}`;
    // 256 and true colours would fight with the theme: their numbers are skipped.
    else if (code === 38 || code === 48) index += codes[index + 1] === 5 ? 2 : 4;
  }
  return style;
}

/** The text without any escape, for search and copy. */
export function stripAnsi(line: string): string {
  return line.replace(escapes, "");
}
