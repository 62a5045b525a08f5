/** Both screens in one file of the browser's: what they share would else be loaded with the first page. */
export { JobPage } from "./job.tsx";
export { JobsScreen } from "./jobs.tsx";
