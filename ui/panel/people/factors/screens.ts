/** Both pages that manage second factors, in one file: what they share is not for everybody's first load. */
export { FactorWanted } from "./factor-wanted.tsx";
export { Security } from "./security.tsx";
