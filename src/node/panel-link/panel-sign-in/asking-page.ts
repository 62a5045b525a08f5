import { createHash } from "node:crypto";
import { escapeHtml } from "../../../lib/escape-html.ts";

const STYLE = `
:root { color-scheme: light dark; font: 16px/24px system-ui, sans-serif; }
body { margin: 0; min-height: 100vh; display: grid; place-items: center;
  background: light-dark(#f6f7f9, #090b13); color: light-dark(#161925, #eff0f4); }
main { box-sizing: border-box; width: min(28rem, 100%); padding: 24px; overflow-wrap: anywhere; }
h1 { font-size: 24px; line-height: 32px; margin: 0 0 12px; }
p { margin: 0 0 16px; color: light-dark(#474a57, #bbbdc7); }
a { display: block; margin: 0 0 12px; padding: 12px 16px; border-radius: 8px; text-align: center; text-decoration: none;
  border: 1px solid light-dark(#7c808d, #6e7285); color: inherit; }
a.go { background: light-dark(#161925, #eff0f4); color: light-dark(#ffffff, #0b0d17); }
a:focus-visible { outline: 2px solid light-dark(#006aa8, #49a9f2); outline-offset: 2px; }
`;
const STYLE_HASH = createHash("sha256").update(STYLE).digest("base64");

/** What a browser may do on the page: show it, as a page of its own. */
export const ASKING_POLICY = `default-src 'none'; style-src 'sha256-${STYLE_HASH}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`;

/** Asks whoever is signed in whether somebody else may take their place in this browser. */
export function renderAskingPage(here: string, arriving: string, confirmPath: string): string {
  const [now, then, path] = [here, arriving, confirmPath].map(escapeHtml);
  return `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>Sign in as ${then}?</title><style>${STYLE}</style></head>
<body><main>
<h1>Sign in as ${then}?</h1>
<p>You are signed in to this server as ${now}. The panel wants to sign this browser in as ${then} instead. If you did not ask for that, stay as you are.</p>
<a class="go" href="${path}">Sign in as ${then}</a>
<a href="/">Stay ${now}</a>
</main></body></html>
`;
}
