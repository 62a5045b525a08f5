/** True when an `Accept-Encoding` header takes `name`: listed by itself or by `*`, and not with weight 0. */
export function accepts(header: string, name: string): boolean {
  const offers = header
    .toLowerCase()
    .split(",")
    .map((part) => part.split(";").map((word) => word.trim()));
  const offer = offers.find(([coding]) => coding === name) ?? offers.find(([coding]) => coding === "*");
  return offer !== undefined && !offer.some((parameter) => /^q=0(\.0*)?$/.test(parameter));
}
