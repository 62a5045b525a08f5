import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { until } from "./until.ts";

/** A postfix of its own on loopback, with STARTTLS and a certificate nobody signed. */
export interface MailServer {
  port: number;
  /** Everything in the mailbox of `name@orrery.test`, headers included. */
  mails(name: string): string[];
  stop(): Promise<void>;
}

/** A port that was free a moment ago: postfix cannot be asked to take any. */
async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  return typeof address === "object" && address ? address.port : 0;
}

const run = (argv: string[]) => {
  const { exitCode, stderr, stdout } = Bun.spawnSync(argv, { stdout: "pipe", stderr: "pipe" });
  if (exitCode !== 0) throw new Error(`${argv.join(" ")}: ${stdout}${stderr}`);
  return String(stdout);
};

const userId = (name: string): number => Number(run(["id", "-u", name]));

function writeConfig(folder: string, port: number): void {
  const main = {
    compatibility_level: "3.6",
    queue_directory: join(folder, "queue"),
    data_directory: join(folder, "data"),
    maillog_file: join(folder, "log/mail.log"),
    maillog_file_prefixes: folder,
    myhostname: "mail.orrery.test",
    mydestination: "",
    inet_interfaces: "127.0.0.1",
    inet_protocols: "ipv4",
    mynetworks: "127.0.0.0/8",
    smtpd_relay_restrictions: "permit_mynetworks, reject",
    smtpd_recipient_restrictions: "reject_unauth_destination",
    virtual_mailbox_domains: "orrery.test",
    virtual_mailbox_base: join(folder, "mail"),
    virtual_mailbox_maps: "inline:{admin@orrery.test=admin/, second@orrery.test=second/}",
    virtual_uid_maps: `static:${userId("nobody")}`,
    virtual_gid_maps: `static:${Number(run(["id", "-g", "nobody"]))}`,
    smtpd_tls_security_level: "may",
    smtpd_tls_cert_file: join(folder, "cert.pem"),
    smtpd_tls_key_file: join(folder, "key.pem"),
    alias_maps: "",
    alias_database: "",
    local_recipient_maps: "",
    smtpd_peername_lookup: "no",
  };
  const lines = Object.entries(main).map(([key, value]) => `${key} = ${value}`);
  writeFileSync(join(folder, "main.cf"), `${lines.join("\n")}\n`);
  const services = [
    `127.0.0.1:${port} inet n - n - - smtpd`,
    "cleanup unix n - n - 0 cleanup",
    "qmgr unix n - n 300 1 qmgr",
    "rewrite unix - - n - - trivial-rewrite",
    "bounce unix - - n - 0 bounce",
    "defer unix - - n - 0 bounce",
    "trace unix - - n - 0 bounce",
    "tlsmgr unix - - n 1000? 1 tlsmgr",
    "anvil unix - - n - 1 anvil",
    "virtual unix - n n - - virtual",
    "postlog unix-dgram n - n - 1 postlogd",
  ];
  writeFileSync(join(folder, "master.cf"), `${services.join("\n")}\n`);
}

/** Starts the mail server; needs root and the package `postfix`. */
export async function startMailServer(): Promise<MailServer> {
  const folder = mkdtempSync(join(tmpdir(), "orrery-mail-"));
  chmodSync(folder, 0o755);
  for (const part of ["queue", "data", "mail", "log"]) mkdirSync(join(folder, part));
  chownSync(join(folder, "data"), userId("postfix"), 0);
  chownSync(join(folder, "mail"), userId("nobody"), 0);
  run([
    ...["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes"],
    ...["-keyout", join(folder, "key.pem"), "-out", join(folder, "cert.pem"), "-days", "2"],
    ...["-subj", "/CN=mail.orrery.test", "-addext", "subjectAltName=DNS:mail.orrery.test"],
  ]);
  const port = await freePort();
  writeConfig(folder, port);
  const master = Bun.spawn(["postfix", "-c", folder, "start-fg"], { stdout: "pipe", stderr: "pipe" });
  const complaint = new Response(master.stderr).text();
  const log = () =>
    existsSync(join(folder, "log/mail.log")) ? readFileSync(join(folder, "log/mail.log"), "utf8") : "";
  await until(
    async () => {
      if (master.exitCode !== null) throw new Error(`postfix ended: ${await complaint}${log()}`);
      const socket = await Bun.connect({ hostname: "127.0.0.1", port, socket: { data() {} } });
      socket.end();
      return true;
    },
    { what: "postfix to listen" },
  );
  return {
    port,
    mails(name) {
      const inbox = join(folder, "mail", name, "new");
      return existsSync(inbox) ? readdirSync(inbox).map((file) => readFileSync(join(inbox, file), "utf8")) : [];
    },
    async stop() {
      Bun.spawnSync(["postfix", "-c", folder, "stop"], { stdout: "ignore", stderr: "ignore" });
      await master.exited;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
