/**
 * The passkey library, loaded when somebody first uses a passkey: most nodes would carry it and what it stands on
 * for nothing. The certificate reader beneath it wants the metadata polyfill to be there before it.
 */
export async function loadWebAuthn(): Promise<typeof import("@simplewebauthn/server")> {
  await import("reflect-metadata");
  return import("@simplewebauthn/server");
}

/**
 * An attestation object (base64url) without what the maker of the authenticator says about it, which we do not ask for. The
 * library would judge that: its certificates name addresses, and it asks those for lists of revoked ones, whoever made them
 * up. Throws when it cannot be read.
 */
export async function withoutStatement(attestationObject: string): Promise<string> {
  await import("reflect-metadata");
  const { decodeAttestationObject, isoBase64URL, isoCBOR } = await import("@simplewebauthn/server/helpers");
  const authData = decodeAttestationObject(isoBase64URL.toBuffer(attestationObject)).get("authData");
  const bare = new Map<string, string | Uint8Array | Map<string, string>>([
    ["fmt", "none"],
    ["attStmt", new Map()],
    ["authData", authData],
  ]);
  return isoBase64URL.fromBuffer(isoCBOR.encode(bare));
}
