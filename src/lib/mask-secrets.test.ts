import { expect, test } from "bun:test";
import { isSecret, maskCommand, maskLabels, maskText, maskVariable } from "./mask-secrets.ts";

test.each([
  ["POSTGRES_PASSWORD", "hunter2"],
  ["MYSQL_ROOT_PASSWORD", "x"],
  ["DB_PASS", "x"],
  ["ADMINPASS", "x"],
  ["PGPASSWORD", "x"],
  ["SECRET_KEY_BASE", "x"],
  ["GITHUB_TOKEN", "x"],
  ["AWS_SECRET_ACCESS_KEY", "x"],
  ["API_KEY", "x"],
  ["APP_KEY", "base64:x"],
  ["SENTRY_DSN", "https://abc@example.org/1"],
  ["DATABASE_URL", "postgres://app:hunter2@db:5432/app"],
  ["REDIS_URL", "redis://:hunter2@cache"],
  ["ANYTHING", "-----BEGIN RSA PRIVATE KEY-----"],
  ["ANYTHING", "ghp_0123456789"],
  ["traefik.http.middlewares.a.basicauth.users", "ada:$apr1$x"],
])("%s is a secret", (name, value) => {
  expect(isSecret(name, value)).toBe(true);
});

test.each([
  ["PATH", "/usr/bin"],
  ["POSTGRES_PASSWORD_FILE", "/run/secrets/db"],
  ["KEYBOARD", "de"],
  ["AUTHOR", "Ada"],
  ["COMPASS", "north"],
  ["PROXY_BYPASS", "localhost"],
  ["HOMEPAGE", "https://example.org/a:b@c"],
  ["DATABASE_URL", "postgres://db:5432/app"],
  ["TZ", "Europe/Berlin"],
  ["POSTGRES_PASSWORD", ""],
])("%s=%s is none", (name, value) => {
  expect(isSecret(name, value)).toBe(false);
});

test("a variable keeps its name, and what follows the first equals sign", () => {
  expect(maskVariable("OPTS=-a=1 -b=2")).toEqual({ name: "OPTS", value: "-a=1 -b=2" });
  expect(maskVariable("DB_PASSWORD=a=b")).toEqual({ name: "DB_PASSWORD", value: null });
  expect(maskVariable("EMPTY")).toEqual({ name: "EMPTY", value: "" });
});

test("commands and labels show no passwords", () => {
  const command = maskCommand([
    "redis-server",
    "--requirepass",
    "hunter2",
    "--password=hunter2",
    "--port",
    "6379",
    "sh -c 'PGPASSWORD=hunter2 psql postgres://app:hunter2@db --token hunter2'",
  ]);
  expect(command.join(" ")).not.toContain("hunter2");
  expect(command.join(" ")).toContain("--port 6379");
  expect(maskLabels({ "a.password": "hunter2", "com.docker.compose.project": "media" })).toEqual({
    "a.password": "••••",
    "com.docker.compose.project": "media",
  });
});

// Everybody who may look at containers sees labels; other programs keep whole commands and addresses in them.
test.each([
  "pg_dump postgres://app:hunter2@db/x",
  "mysqldump -u root --password=hunter2 all",
  "mysqldump root --password hunter2",
  "mysqldump -phunter2 all",
  "copyparty -a admin:hunter2 -v /w::A,admin",
  "curl -u 'ada:hunter2' http://a",
  "curl --user=ada:hunter2 http://a",
  '{"user":"ada","password":"hunter2"}',
  "http://hook.lan/?id=1&token=hunter2&x=1",
  "host=db user=app password=hunter2",
  "Server=db;Password=hunter2;",
  "Authorization: Bearer hunter2",
  "curl -H 'Authorization: Basic hunter2' http://a",
  "-Dpassword=hunter2 -Xmx1g",
  "--opts=password=hunter2",
  "push ghp_hunter2hunter2 to main",
])("%s is shown to nobody in a label, a variable or a command", (text) => {
  expect(JSON.stringify(maskLabels({ "job.command": text }))).not.toContain("hunter2");
  expect(maskVariable(`CONNECTION=${text}`)).toEqual({ name: "CONNECTION", value: null });
  expect(maskCommand(["sh", "-c", text]).join(" ")).not.toContain("hunter2");
});

test("a login behind its flag is hidden, a user with a group is not", () => {
  const command = ["-a", "admin:hunter2", "-u", "1000:1000", "--user", "ada:hun:ter2", "-v", "/w::A,admin"];
  const shown = ["-a", "admin:••••", "-u", "1000:1000", "--user", "ada:••••", "-v", "/w::A,admin"];
  expect(maskCommand(command)).toEqual(shown);
  expect(maskText("docker run -u 1000:1000 web")).toBe("docker run -u 1000:1000 web");
});

test.each([
  "Host(`photos.example.org`) && PathPrefix(`/api`)",
  "https://example.org/docs?page=2",
  "0 3 * * * pg_dump --file /backup/db.sql",
  "/usr/local/bin:/usr/bin",
  "sha256:0123456789abcdef",
])("%s is left as it is", (text) => {
  expect(maskLabels({ rule: text })).toEqual({ rule: text });
});

test("a signed token is hidden wherever it stands in a word, and only that", () => {
  const token = "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJhZGEifQ.c2lnbmF0dXJl";
  for (const before of ["", "session.", "session-", "a.b-", "(", "eyJ.a."]) {
    const text = maskText(`got ${before}${token}, went on`);
    expect(text).toBe(`got ${before}••••, went on`);
  }
  for (const plain of ["eyJhbGciOiJIUzI1NiJ9.txt went on", "report.eyJhbGciOiJIUzI1NiJ9 went on"])
    expect(maskText(plain)).toBe(plain);
});

test("nor does a very long word", () => {
  for (const piece of ["eyJa-", "eyJa.", "--a.", "a.eyJ"]) expect(maskText(piece.repeat(300_000))).not.toBe("");
});

test("no text holds it up: one that does runs out of the test's time", () => {
  for (const piece of ["a", "=", "a:", "://", "--", "-a ", "a:b@", "--a ", "token=", 'token="', "eyJ", "a: "])
    expect(maskCommand([piece.repeat(30_000)])).toHaveLength(1);
});
