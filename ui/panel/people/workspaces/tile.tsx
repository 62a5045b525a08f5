/** The initials of a workspace on its colour. */
export function WorkspaceTile({ initials, color }: { initials: string; color: string }) {
  return <span class="wstile" style={{ "--tile": color }} aria-hidden="true" data-initials={initials} />;
}
