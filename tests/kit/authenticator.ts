import { createHash, generateKeyPairSync, randomBytes, sign } from "node:crypto";

type CborValue = number | string | Buffer | Map<CborValue, CborValue>;

/** The few CBOR shapes that an authenticator writes (RFC 8949). */
function cbor(value: CborValue): Buffer {
  const head = (major: number, length: number): Buffer => {
    if (length < 24) return Buffer.from([(major << 5) | length]);
    if (length < 256) return Buffer.from([(major << 5) | 24, length]);
    return Buffer.from([(major << 5) | 25, length >> 8, length & 255]);
  };
  if (typeof value === "number") return value >= 0 ? head(0, value) : head(1, -1 - value);
  if (typeof value === "string") return Buffer.concat([head(3, Buffer.byteLength(value)), Buffer.from(value)]);
  if (Buffer.isBuffer(value)) return Buffer.concat([head(2, value.length), value]);
  return Buffer.concat([head(5, value.size), ...[...value].flatMap(([key, item]) => [cbor(key), cbor(item)])]);
}

const sha256 = (data: string | Buffer): Buffer => createHash("sha256").update(data).digest();

/** What goes wrong on purpose. */
export interface Flaws {
  origin?: string;
  rpId?: string;
  challenge?: string;
  type?: string;
  /** Another counter than the next one. */
  counter?: number;
  /** False: the holder was not checked. */
  isVerified?: boolean;
  userHandle?: string;
  breakSignature?: boolean;
  /** Something said about the authenticator, in this format. */
  statement?: string;
}

/** A software authenticator with one ES256 credential, speaking the JSON forms of Web Authentication. */
export function createAuthenticator(origin = "http://localhost", rpId = "localhost") {
  const { privateKey, publicKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const jwk = publicKey.export({ format: "jwk" });
  const credentialId = randomBytes(32);
  const id = credentialId.toString("base64url");
  let counter = 0;
  let userHandle = "";

  const clientData = (type: string, challenge: string, flaws: Flaws): Buffer =>
    Buffer.from(
      JSON.stringify({
        type: flaws.type ?? type,
        challenge: flaws.challenge ?? challenge,
        origin: flaws.origin ?? origin,
        crossOrigin: false,
      }),
    );

  function authenticatorData(flaws: Flaws, attested: Buffer | null): Buffer {
    counter = flaws.counter ?? counter + 1;
    const count = Buffer.alloc(4);
    count.writeUInt32BE(counter);
    const flags = 0x01 | (flaws.isVerified === false ? 0 : 0x04) | (attested ? 0x40 : 0);
    return Buffer.concat([sha256(flaws.rpId ?? rpId), Buffer.from([flags]), count, attested ?? Buffer.alloc(0)]);
  }

  return {
    id,
    /** Answers `register/begin`. */
    register(publicKeyOptions: { challenge: string; user: { id: string } }, flaws: Flaws = {}) {
      userHandle = publicKeyOptions.user.id;
      const coseKey = cbor(
        new Map<CborValue, CborValue>([
          [1, 2],
          [3, -7],
          [-1, 1],
          [-2, Buffer.from(jwk.x ?? "", "base64url")],
          [-3, Buffer.from(jwk.y ?? "", "base64url")],
        ]),
      );
      const attested = Buffer.concat([Buffer.alloc(16), Buffer.from([0, credentialId.length]), credentialId, coseKey]);
      const attestation = cbor(
        new Map<CborValue, CborValue>([
          ["fmt", flaws.statement ?? "none"],
          ["attStmt", new Map<CborValue, CborValue>(flaws.statement ? [["sig", Buffer.from("made up")]] : [])],
          ["authData", authenticatorData(flaws, attested)],
        ]),
      );
      return {
        id,
        rawId: id,
        type: "public-key",
        response: {
          clientDataJSON: clientData("webauthn.create", publicKeyOptions.challenge, flaws).toString("base64url"),
          attestationObject: attestation.toString("base64url"),
          transports: ["internal"],
        },
        clientExtensionResults: {},
      };
    },
    /** Answers `login/begin`. */
    sign(publicKeyOptions: { challenge: string }, flaws: Flaws = {}) {
      const client = clientData("webauthn.get", publicKeyOptions.challenge, flaws);
      const data = authenticatorData(flaws, null);
      const signature = sign("sha256", Buffer.concat([data, sha256(client)]), privateKey);
      const last = signature.length - 1;
      if (flaws.breakSignature) signature.writeUInt8(signature.readUInt8(last) ^ 1, last);
      return {
        id,
        rawId: id,
        type: "public-key",
        response: {
          clientDataJSON: client.toString("base64url"),
          authenticatorData: data.toString("base64url"),
          signature: signature.toString("base64url"),
          userHandle: flaws.userHandle ?? userHandle,
        },
        clientExtensionResults: {},
      };
    },
  };
}

export type Authenticator = ReturnType<typeof createAuthenticator>;
