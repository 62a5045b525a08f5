import { Glyph } from "../../../kit/status.tsx";

/** Why there is nothing to say yet, and when there will be. */
export function NotYet({ reasons }: { reasons: string[] }) {
  return (
    <ul class="notyet">
      {reasons.map((reason) => (
        <li key={reason} class="row">
          <Glyph state="unknown" />
          <span>{reason}</span>
        </li>
      ))}
    </ul>
  );
}
