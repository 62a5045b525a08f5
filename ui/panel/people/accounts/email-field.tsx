import { Input } from "../../../kit/field.tsx";
import type { FieldProps } from "../../../parts/attempt.ts";

/** The address that an account is known by. */
export function EmailField({ passkeys = false, ...props }: FieldProps & { autofocus?: boolean; passkeys?: boolean }) {
  // Browsers offer passkeys among the addresses they remember.
  const autocomplete = passkeys ? "username webauthn" : "username";
  return <Input label="Email" icon="mail" type="email" {...props} autocomplete={autocomplete} required />;
}
