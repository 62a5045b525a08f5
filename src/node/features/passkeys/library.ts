/**
 * The passkey library, loaded when somebody first uses a passkey: most nodes would carry it and what it stands on
 * for nothing. The certificate reader beneath it wants the metadata polyfill to be there before it.
 */
export async function loadWebAuthn(): Promise<typeof import("@simplewebauthn/server")> {
  await import("reflect-metadata");
  return import("@simplewebauthn/server");
}
