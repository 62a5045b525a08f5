const LONGEST = 2_000;
const SCHEMES = new Set(["http:", "https:"]);

/**
 * True for an address of a web page that can be read and opened, without credentials in it. What the other side tells is
 * shown as a link and sends browsers on: `javascript:` would run as our page, `https://[` cannot even be taken apart.
 */
export function isWebAddress(text: string): boolean {
  if (text.length > LONGEST || !/^https?:\/\/[!-~]+$/.test(text) || !URL.canParse(text)) return false;
  const { protocol, username, password, hostname } = new URL(text);
  return SCHEMES.has(protocol) && username === "" && password === "" && hostname !== "";
}
