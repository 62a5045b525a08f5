/** Words in the name of a value that is nobody's to read. */
const SECRET_NAME =
  /password|passphrase|passwd|requirepass|masterauth|(?<!com|by|sur|tres|over|under)pass(?:$|[_.-])|pwd|secret|token|credential|(?:^|[^a-z])auth(?:orization)?(?:$|[^a-z])|basicauth|api[_-]?key|apikey|(?:access|private|signing|encryption|master|app|session|jwt|license|secret)[_.-]?key|(?:^|[_.-])key$|(?:^|[_.-])salt(?:$|[_.-])|(?:^|[_.-])dsn$|webhook|htpasswd|(?:^|[_.-])pin$/i;
/** Where such a value lies is no secret. */
const PLACE_NAME = /(?:[_.-](?:file|path|dir|policy|length|ttl|expiry|expiration|expires|enabled|name|url_path))$/i;
/** `postgres://user:password@host`, as connection strings hold passwords. */
const CREDENTIALS_IN_URL = /^[a-z][a-z0-9+.-]*:\/\/[^/\s@]*:[^/\s@]+@/i;
/** The beginnings of well-known keys. */
const KEY_VALUE =
  /-----BEGIN [A-Z ]*PRIVATE KEY|^(?:ghp_|gho_|github_pat_|glpat-|sk-|sk_live_|xox[abp]-|AKIA|eyJ[\w-]+\.eyJ)|\$2[aby]\$|\$apr1\$|\{SHA\}/;

const STARS = "••••";

/** True when a value of that name is one that only its owner should know. */
export function isSecret(name: string, value: string): boolean {
  if (value === "") return false;
  if (CREDENTIALS_IN_URL.test(value) || KEY_VALUE.test(value)) return true;
  return SECRET_NAME.test(name) && !PLACE_NAME.test(name);
}

/** Takes `NAME=value` apart; the value is null when it is a secret. */
export function maskVariable(entry: string): { name: string; value: string | null } {
  const equals = entry.indexOf("=");
  const name = equals === -1 ? entry : entry.slice(0, equals);
  const value = equals === -1 ? "" : entry.slice(equals + 1);
  return { name, value: isSecret(name, value) || maskText(value) !== value ? null : value };
}

/** Labels with stars in place of secrets, such as the users of a proxy. */
export function maskLabels(labels: Record<string, string>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(labels).map(([name, value]) => [name, isSecret(name, value) ? STARS : maskText(value)]),
  );
}

/** Flags of programs whose value may be `user:password`. */
const LOGIN_FLAG = /^(?:-a|-u|--user|--account)$/;
/** Such a value. Numbers are those of a user and a group, or a port. */
const LOGIN = /^([^\s:]{1,200}:)(?!\d+$).+$/s;

/** A command with stars in place of `--password=x`, of what follows `--password`, and of secrets in shell text. */
export function maskCommand(argv: readonly string[]): string[] {
  let isNextSecret = false;
  let flagBefore = "";
  return argv.map((part) => {
    const wasSecret = isNextSecret;
    const isLogin = LOGIN_FLAG.test(flagBefore);
    isNextSecret = false;
    flagBefore = part;
    if (wasSecret && !part.startsWith("-")) return STARS;
    if (isLogin) return maskText(part.replace(LOGIN, `$1${STARS}`));
    const [, flag, value] = /^(-{1,2}[\w.-]+)=(.*)$/s.exec(part) ?? [];
    if (flag !== undefined && value !== undefined) return isSecret(flag, value) ? `${flag}=${STARS}` : maskText(part);
    if (/^-{1,2}[\w.-]+$/.test(part)) {
      isNextSecret = isSecret(part, "x");
      return part;
    }
    return maskText(part);
  });
}

/**
 * A flag, or a name before `=` or `:`, as shell text, addresses, JSON and connection strings have them. It is looked for only where a
 * word begins: from each letter of a long one the time would grow with its square.
 */
const NAMED = /(?<![\w.-])(?:(--?[\w.-]+)\s+|([\w.-]+)["']?\s{0,8}[=:]\s{0,8})/g;
const VALUE = /(?:bearer|basic|token)\s+[^\s"',;&}]+|"[^"]*"|'[^']*'|[^\s"',;&}]+/iy;
/** `user:password@` in an address. */
const LOGIN_IN_TEXT = /(:\/\/[^/\s:@]{0,200}:)[^/\s@]+@/g;
/** The same behind a flag. */
const LOGIN_BEHIND_FLAG =
  /((?:^|\s)(?:-a|-u|--user|--account)[\s=]\s{0,8}["']?[\w.@-]{1,200}:)(?!\d+(?:["'\s]|$))[^\s"']+/g;
/** The same keys as `KEY_VALUE`, among other words. */
const KEY_IN_TEXT = /\b(?:ghp_|gho_|github_pat_|glpat-|sk_live_|xox[abp]-|AKIA)[\w.-]{8,4000}/g;
const WORD = /[\w.-]{12,}/g;

/** A word without the signed token (`eyJ….eyJ….…`) that it may end with. */
function maskToken(word: string): string {
  for (let dot = word.indexOf(".eyJ"); dot !== -1; dot = word.indexOf(".eyJ", dot + 1)) {
    const begin = word.lastIndexOf(".", dot - 1) + 1;
    const start = word.slice(begin, dot).search(/\beyJ[\w-]/);
    if (start !== -1) return word.slice(0, begin + start) + STARS;
  }
  return word;
}

/**
 * Shell text or a line of a log, in which secrets stand among other words. Each name is looked at, also where it is the value of another
 * one.
 */
export function maskText(text: string): string {
  const plain = text
    .replace(LOGIN_IN_TEXT, `$1${STARS}@`)
    .replace(LOGIN_BEHIND_FLAG, `$1${STARS}`)
    .replace(KEY_IN_TEXT, STARS)
    .replace(WORD, maskToken);
  let masked = "";
  let done = 0;
  for (const { 0: whole, 1: flag, 2: name = "", index } of plain.matchAll(NAMED)) {
    const start = index + whole.length;
    if (index < done || !isSecret(flag ?? name, "x")) continue;
    VALUE.lastIndex = start;
    const value = VALUE.exec(plain)?.[0] ?? "";
    if (value === "" || (flag !== undefined && value.startsWith("-"))) continue;
    masked += plain.slice(done, start) + STARS;
    done = start + value.length;
  }
  masked += plain.slice(done);
  // The clients of these databases take the password without a space.
  return /mysql|mariadb/i.test(masked) ? masked.replace(/(\s-p)[^\s-]\S*/g, `$1${STARS}`) : masked;
}
