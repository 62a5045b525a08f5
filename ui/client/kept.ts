/**
 * Has this browser keep the program of the page, so that it starts and every screen opens while the server is away. Browsers allow
 * that over https and on the machine itself; elsewhere the screens are loaded ahead into the open page only.
 */
export function keepProgram(): void {
  if (!isSecureContext || !("serviceWorker" in navigator)) return;
  const begin = (): void => {
    navigator.serviceWorker.register("/worker.js").catch(() => {
      // The page works without; a profile may forbid it, or the server went away just now.
    });
  };
  // After all that the first screen needs.
  if (document.readyState === "complete") setTimeout(begin, waitMs);
  else addEventListener("load", () => setTimeout(begin, waitMs), { once: true });
}

const waitMs = 1500;
