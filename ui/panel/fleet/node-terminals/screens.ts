/** The screens with a terminal in them, loaded as one: what they share is too large for the first page. */

export { Recordings } from "../terminal-recordings/recordings.tsx";
export { NodeTerminal } from "./node-terminal.tsx";
