/** Web Authentication: what browsers are asked, and how their answers are judged; whose credentials they are is for others to know. */
export { askForNew, askForProof, CHALLENGE_MS } from "./ask.ts";
export { chooseRpId, type PasskeySupport, type RelyingParty, readPasskeySupport } from "./relying-party.ts";
export { namesOwner, verifyNew, verifyUsed } from "./verify.ts";
