/** What node and panel say to each other on the agent port, and the rules that both keep. */
export { bundleId } from "./bundle.ts";
export * from "./contract.ts";
export {
  type Credentials,
  confirmCredential,
  credentialInUse,
  receiveCredential,
  refuseCredential,
} from "./credentials.ts";
export {
  FRAME_NESTING,
  FRAME_VALUES,
  FrameError,
  FrameReader,
  type FrameSink,
  FrameTooLong,
  shapeFault,
} from "./frame-reader.ts";
export * from "./frames.ts";
export { type ClusterPeer, type ClusterReport, inventoryOf, namedOf } from "./inventory.ts";
export * from "./log-stream.ts";
export { makeCsr } from "./make-csr.ts";
export { heartbeatSeconds, LONGEST_RETRY_MS, retryMs, spreadSeconds } from "./pace.ts";
export { findPinnedRoot, pinOf } from "./pin.ts";
export { renewalRetry, renewalTime } from "./renewal.ts";
export * from "./search-stream.ts";
export { type Serials, serialOf, useSerial } from "./serials.ts";
export { clockSkew, isSkewed } from "./skew.ts";
export { judgeReregistration } from "./takeover.ts";
export * from "./terminal-stream.ts";
export { isWebAddress } from "./web-address.ts";
