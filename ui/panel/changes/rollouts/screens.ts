/** Both screens in one file of the browser's: what they share would else be loaded with the first page. */
export { RolloutPage } from "./rollout.tsx";
export { RolloutsScreen } from "./rollouts.tsx";
