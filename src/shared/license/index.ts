/** The license: what a node's plan is, signed by the panel so that the node needs no panel to know it. */
export { LICENSE_ISSUER } from "./claims.ts";
export { signLicense } from "./sign.ts";
export { type License, verifyLicense } from "./verify.ts";
