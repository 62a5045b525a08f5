import { Input } from "../../../kit/field.tsx";
import type { FieldProps } from "../../../parts/attempt.ts";

/** The address that an account is known by. */
export function EmailField(props: FieldProps & { autofocus?: boolean }) {
  return <Input label="Email" icon="mail" type="email" {...props} autocomplete="username" required />;
}
