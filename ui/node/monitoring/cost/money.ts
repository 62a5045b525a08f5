/** An amount in the owner's currency; small ones with more digits, so that they do not all read 0.00. */
export function money(amount: number, currency: string): string {
  const small = amount !== 0 && Math.abs(amount) < 0.1;
  return amount.toLocaleString("en", {
    style: "currency",
    currency,
    minimumFractionDigits: 2,
    maximumFractionDigits: small ? 4 : 2,
  });
}
