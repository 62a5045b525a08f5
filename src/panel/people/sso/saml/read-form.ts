import { asStranger, type BodyIntake } from "../../../../kernel/http/body-intake.ts";
import { kernelFail } from "../../../../kernel/http/errors.ts";
import { ByteBuffer } from "../../../../lib/byte-buffer.ts";
import { MAX_RESPONSE_BYTES } from "./decode.ts";

/** The largest answer in base64, each sign of which may be written with three, and what comes with it. */
const MAX_BYTES = MAX_RESPONSE_BYTES * 4 + 4096;

/** Reads a posted form. Throws `payload_too_large`, `unsupported_media_type` and what the intake throws. */
export async function readForm(intake: BodyIntake, request: Request, ip: string): Promise<URLSearchParams> {
  const type = request.headers.get("content-type") ?? "";
  if (!/^application\/x-www-form-urlencoded\s*(?:;|$)/i.test(type)) throw kernelFail("unsupported_media_type");
  return intake(asStranger(ip), async (take) => {
    const bytes = new ByteBuffer();
    for await (const chunk of request.body ?? []) {
      if (bytes.length + chunk.byteLength > MAX_BYTES)
        throw kernelFail("payload_too_large", { limit_bytes: MAX_BYTES });
      take(chunk.byteLength);
      bytes.append(chunk);
    }
    return new URLSearchParams(new TextDecoder().decode(bytes.view()));
  });
}
