/** What a page of a node puts before the path of all that it asks for; to be evaluated in the page. */
export const OWN_PATH = `("/~" + JSON.parse(localStorage.getItem("orrery.page")).key)`;

/** A path without the key of the page that asked for it, which is another one in each browser. */
export const withoutKey = (path: string): string => path.replace(/\/~[\w-]+(?=\/)/, "");
