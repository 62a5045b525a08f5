/** placeholder */
export function Kit() {
  return <main />;
}
