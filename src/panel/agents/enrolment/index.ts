/** How nodes get and renew their certificates, on ports that a store fills in. */
export type { EnrolledNode, EnrolmentDeps, EnrolmentEvent, EnrolmentTx, NodeCertificate, TokenGrant } from "./ports.ts";
export { registerNode } from "./register.ts";
export { renewNode } from "./renew.ts";
