const LABEL = /^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/;

/** True for one part of a host name (RFC 1123), lowercase: letters, digits and inner hyphens, 1 to 63 of them. */
export const isHostnameLabel = (text: string): boolean => LABEL.test(text);
