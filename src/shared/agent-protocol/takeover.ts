/** What the panel knows of a node that registers again. */
export interface KnownNode {
  fingerprint: string;
  /** End of its present certificate, milliseconds; null when it has none. */
  certificateEnd: number | null;
}

/**
 * What a second registration tells. Whoever holds a token and knows an id can take a node's place: other hardware while
 * the old certificate is alive is worth a critical notice, other hardware alone a line in the audit.
 */
export function judgeReregistration(
  known: KnownNode,
  fingerprint: string,
  now: number,
): "same_hardware" | "other_hardware" | "other_hardware_while_alive" {
  if (known.fingerprint === fingerprint) return "same_hardware";
  const isAlive = known.certificateEnd !== null && known.certificateEnd > now;
  return isAlive ? "other_hardware_while_alive" : "other_hardware";
}
