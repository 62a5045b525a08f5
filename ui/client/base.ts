let base = "";

/** Whether a path leads to the API, as one below the base does, too. */
export const isCall = (path: string): boolean => /^(\/~[\w-]+)?\/api\//.test(path);

/** Has every path of the API asked for below this one from now on, such as `/~KEY`. */
export function setBase(path: string): void {
  base = path;
}

/** Where a path of the API (`/api/…`, `/ws/…`) is found by this page, for what is asked for and for links alike. */
export const addressOf = (path: string): string => base + path;
