import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { Server, utils } from "ssh2";
import { makeSshKey } from "./ssh-key.ts";

/** OpenSSH's own server of the protocol, as Debian installs it. */
const PROGRAM = "/usr/lib/openssh/sftp-server";

export const hasSftpServer = (): boolean => existsSync(PROGRAM);

export interface SftpServer {
  port: number;
  /** Ends all connections, as a network that fails. */
  drop(): void;
  stop(): Promise<void>;
}

/** Serves the files of this machine over SSH on loopback, by OpenSSH's sftp-server; the user is `ada` with the password `moon`. */
export async function startSftpServer(allowedKey: string | null = null): Promise<SftpServer> {
  const wanted = allowedKey === null ? null : utils.parseKey(allowedKey);
  const clients = new Set<{ end(): void }>();
  const server = new Server({ hostKeys: [makeSshKey().private] }, (client) => {
    clients.add(client);
    client.on("error", () => clients.delete(client));
    client.on("close", () => clients.delete(client));
    client.on("authentication", (context) => {
      const isPassword = context.method === "password" && context.password === "moon";
      const isKey =
        context.method === "publickey" &&
        wanted !== null &&
        !(wanted instanceof Error) &&
        context.key.data.equals(wanted.getPublicSSH()) &&
        (context.signature === undefined ||
          (context.blob !== undefined && wanted.verify(context.blob, context.signature, context.hashAlgo) === true));
      if (context.username === "ada" && (isPassword || isKey)) context.accept();
      else context.reject(["password", "publickey"]);
    });
    client.on("session", (accept) => {
      accept().on("subsystem", (acceptSubsystem, reject, { name }) => {
        if (name !== "sftp") return reject();
        const channel = acceptSubsystem();
        const child = spawn(PROGRAM, [], { stdio: ["pipe", "pipe", "ignore"] });
        channel.pipe(child.stdin);
        child.stdout.pipe(channel);
        child.stdin.on("error", () => {});
        channel.on("close", () => child.kill());
      });
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("the SFTP server has no port");
  const drop = () => {
    for (const client of clients) client.end();
  };
  return {
    port: address.port,
    drop,
    async stop() {
      drop();
      await new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
}
