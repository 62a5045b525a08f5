import { Type } from "@sinclair/typebox";
import { Value } from "@sinclair/typebox/value";
import { parseJson } from "../../../lib/json.ts";
import { EngineFailure } from "./failure.ts";
import { decrypt, encrypt } from "./keys.ts";
import type { Target } from "./target.ts";

const FOLDER = "condemned";
const BOUND_TO = "condemned";

const Written = Type.Object({
  packs: Type.Array(Type.Tuple([Type.String({ maxLength: 100 }), Type.Integer()]), { maxItems: 10_000_000 }),
});

/** In place of a time: the pack is damaged, and what is needed of it is stored anew where its source is still there. */
export const DAMAGED = 0;

/** Packs that nothing needs any more, with the time when that was found, milliseconds since 1970, and damaged ones. */
export interface Condemned {
  /** The newest list's; 0 where there is none. */
  number: number;
  packs: Map<string, number>;
}

const nameOf = (number: number): string => `${FOLDER}/${String(number).padStart(12, "0")}`;

/** The newest list. One that cannot be read condemns nothing. */
export async function readCondemned(target: Target, secret: Uint8Array): Promise<Condemned> {
  const last = (await target.list(FOLDER)).at(-1);
  if (last === undefined) return { number: 0, packs: new Map() };
  const number = Number(last.name.slice(FOLDER.length + 1));
  const sealed = await target.read(last.name).catch((error: unknown) => {
    // Whoever tidies up has written a newer one in between.
    if (error instanceof EngineFailure && error.code === "target_missing") return new Uint8Array();
    throw error;
  });
  const plain = decrypt(secret, BOUND_TO, sealed);
  const written = plain && parseJson(Buffer.from(Bun.zstdDecompressSync(plain)).toString());
  return { number, packs: new Map(Value.Check(Written, written) ? written.packs : []) };
}

/** Writes the next list, and then removes those before. */
export async function writeCondemned(target: Target, secret: Uint8Array, { number, packs }: Condemned): Promise<void> {
  const before = await target.list(FOLDER);
  const plain = Bun.zstdCompressSync(Buffer.from(JSON.stringify({ packs: [...packs] })));
  await target.write(nameOf(number + 1), encrypt(secret, BOUND_TO, plain));
  for (const { name } of before) await target.remove(name);
}

/** Lets nothing rely on damaged packs from now on. */
export async function condemnDamaged(target: Target, secret: Uint8Array, damaged: readonly string[]): Promise<void> {
  const { number, packs } = await readCondemned(target, secret);
  for (const name of damaged) packs.set(name, DAMAGED);
  await writeCondemned(target, secret, { number, packs });
}
