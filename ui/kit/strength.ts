const worn = [
  "password",
  "passwort",
  "qwerty",
  "azerty",
  "letmein",
  "welcome",
  "admin",
  "orrery",
  "12345",
  "abc",
  "iloveyou",
  "dragon",
];

/** How hard a passphrase is to guess: 1 (weak) to 4, with the words to show. A guide only, the server has the last word. */
export function strengthOf(password: string): { score: 1 | 2 | 3 | 4; word: string } {
  if (password.length < 8) return { score: 1, word: `Too short: ${8 - password.length} more` };
  const plain = password.toLowerCase();
  let length = password.length;
  for (const part of worn) if (plain.includes(part)) length -= part.length - 1;
  // "aaaaaaaa" and "12345678" are long, but say little.
  const distinct = new Set(plain).size;
  const kinds = [/[a-z]/, /[A-Z]/, /\d/, /[^a-zA-Z\d]/].filter((kind) => kind.test(password)).length;
  const bits = Math.min(length, distinct * 1.6) * Math.log2(10 + kinds * 14);
  if (bits < 40) return { score: 1, word: "Easy to guess. Add a few more words." };
  if (bits < 60) return { score: 2, word: "Could be stronger. One more word helps." };
  if (bits < 84) return { score: 3, word: "Strong." };
  return { score: 4, word: "Very strong. Pasting from a password manager is fine." };
}
