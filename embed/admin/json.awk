# Reads JSON: leaf(path, value) is called for every leaf, arrays are numbered from 0. Without single quotes, because the installed
# command carries it in some.
function utf8(code) {
  if (code < 160) return code < 32 || code > 126 ? " " : sprintf("%c", code)
  if (code < 2048) return sprintf("%c%c", 192 + int(code / 64), 128 + code % 64)
  if (code < 65536) return sprintf("%c%c%c", 224 + int(code / 4096), 128 + int(code / 64) % 64, 128 + code % 64)
  return sprintf("%c%c%c%c", 240 + int(code / 262144), 128 + int(code / 4096) % 64, 128 + int(code / 64) % 64, 128 + code % 64)
}
function hex4(text,    i, n) { for (i = 1; i <= 4; i++) n = n * 16 + index("0123456789abcdef", tolower(substr(text, i, 1))) - 1; return n }
function string_at(    out, piece, c, code, low) {
  at++; out = ""
  while (at <= len) {
    if (match(substr(src, at, 512), /^[^"\\]+/)) { piece = substr(src, at, RLENGTH); gsub(/[\001-\037\177]/, " ", piece); out = out piece; at += RLENGTH; continue }
    c = substr(src, at, 1); at++
    # Control characters of two bytes, the halves of which may stand in two pieces.
    if (c == "\"") { gsub(/\302[\200-\237]/, " ", out); return out }
    c = substr(src, at, 1); at++
    if (c == "u") {
      code = hex4(substr(src, at, 4)); at += 4
      if (code >= 55296 && code < 56320) { low = hex4(substr(src, at + 2, 4)); at += 6; code = 65536 + (code - 55296) * 1024 + low - 56320 }
      out = out utf8(code)
    } else out = out (c ~ /[nrtbf]/ ? " " : c)
  }
}
function blanks() { while (substr(src, at, 1) ~ /^[ \t\r\n]$/) at++ }
function value_at(path,    c, key, n) {
  blanks(); c = substr(src, at, 1)
  if (c == "{" || c == "[") {
    at++; n = 0; blanks()
    if (substr(src, at, 1) == (c == "{" ? "}" : "]")) { at++; return }
    while (at <= len) {
      key = n++; blanks()
      if (c == "{") { key = string_at(); blanks(); at++ }
      value_at(path == "" ? key : path "." key); blanks()
      if (substr(src, at++, 1) != ",") return
    }
    return
  }
  if (c == "\"") return leaf(path, string_at())
  if (!match(substr(src, at, 40), /^[-+.0-9a-zA-Z]+/)) { at = len + 1; return }
  key = substr(src, at, RLENGTH); at += RLENGTH
  leaf(path, key == "null" ? "" : key)
}
function parse_json(text) { src = text; len = length(text); at = 1; value_at("") }
