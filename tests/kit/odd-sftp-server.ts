import { type FileEntry, Server, type SFTPWrapper, utils } from "ssh2";
import { makeSshKey } from "./ssh-key.ts";

const { NO_SUCH_FILE, OK, EOF, FAILURE } = utils.sftp.STATUS_CODE;
const FOLDER = 0o040700;

/** A server of SFTP that holds files in memory, and does not do as it should. */
export interface OddSftpServer {
  port: number;
  /** From now on folders have folders in them, without end. */
  listForEver(): void;
  /** From now on it answers nothing that is asked of a path which has that in it; everything has an empty text. */
  fallSilent(about: string): void;
  /** Waits until it was asked something that it does not answer. */
  untilSilent: Promise<void>;
  stop(): Promise<void>;
}

const attrsOf = (mode: number, size: number) => ({ mode, size, uid: 0, gid: 0, atime: 0, mtime: 0 });

/** Starts one on loopback; it takes any user. */
export async function startOddSftpServer(): Promise<OddSftpServer> {
  const files = new Map<string, Buffer>();
  const silent = Promise.withResolvers<void>();
  const clients = new Set<{ end(): void }>();
  let isEndless = false;
  let silentAbout: string | null = null;
  let made = 0;

  const isSilent = (path: string): boolean => {
    const is = silentAbout !== null && path.includes(silentAbout);
    if (is) silent.resolve();
    return is;
  };

  function folders(): FileEntry[] {
    return Array.from({ length: 500 }, () => {
      made += 1;
      return { filename: `f${made}`, longname: "", attrs: attrsOf(FOLDER, 0) };
    });
  }

  function serve(sftp: SFTPWrapper): void {
    const handles: string[] = [];
    const listed = new Set<number>();
    const handleOf = (path: string): Buffer => Buffer.of(handles.push(path) - 1);
    const pathOf = (handle: Buffer): string => handles[handle[0] ?? 0] ?? "";
    const look = (id: number, path: string) => {
      if (isSilent(path)) return;
      const file = files.get(path);
      if (file) sftp.attrs(id, attrsOf(0o100600, file.length));
      else sftp.status(id, NO_SUCH_FILE);
    };
    sftp.on("OPEN", (id, path, flags) => {
      if (isSilent(path)) return;
      const isWritten = (flags & utils.sftp.OPEN_MODE.WRITE) !== 0;
      if (isWritten) files.set(path, Buffer.alloc(0));
      if (files.has(path)) sftp.handle(id, handleOf(path));
      else sftp.status(id, NO_SUCH_FILE);
    });
    sftp.on("WRITE", (id, handle, _at, bytes) => {
      files.set(pathOf(handle), Buffer.from(bytes));
      sftp.status(id, OK);
    });
    sftp.on("READ", (id, handle, at, length) => {
      const bytes = files.get(pathOf(handle))?.subarray(at, at + length);
      if (bytes && bytes.length > 0) sftp.data(id, bytes);
      else sftp.status(id, EOF);
    });
    sftp.on("FSTAT", (id, handle) => look(id, pathOf(handle)));
    sftp.on("LSTAT", look);
    sftp.on("MKDIR", (id) => sftp.status(id, OK));
    sftp.on("CLOSE", (id) => sftp.status(id, OK));
    sftp.on("REMOVE", (id, path) => sftp.status(id, files.delete(path) ? OK : NO_SUCH_FILE));
    sftp.on("RENAME", (id, from, to) => {
      const bytes = files.get(from);
      if (!bytes || files.has(to)) return sftp.status(id, FAILURE);
      files.set(to, bytes);
      files.delete(from);
      sftp.status(id, OK);
    });
    sftp.on("OPENDIR", (id, path) => {
      if (!isSilent(path)) sftp.handle(id, handleOf(path));
    });
    sftp.on("READDIR", (id, handle) => {
      if (isEndless) return sftp.name(id, folders());
      const number = handle[0] ?? 0;
      const start = `${pathOf(handle)}/`;
      const names = [...files].filter(([path]) => path.startsWith(start));
      if (listed.has(number) || names.length === 0) return sftp.status(id, EOF);
      listed.add(number);
      sftp.name(
        id,
        names.map(([path, bytes]) => ({
          filename: path.slice(start.length),
          longname: "",
          attrs: attrsOf(0o100600, bytes.length),
        })),
      );
    });
  }

  const server = new Server({ hostKeys: [makeSshKey().private] }, (client) => {
    clients.add(client);
    client.on("error", () => clients.delete(client));
    client.on("authentication", (context) => context.accept());
    client.on("session", (accept) => void accept().on("sftp", (acceptSftp) => serve(acceptSftp())));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("the SFTP server has no port");
  return {
    port: address.port,
    listForEver() {
      isEndless = true;
    },
    fallSilent(about) {
      silentAbout = about;
    },
    untilSilent: silent.promise,
    async stop() {
      for (const client of clients) client.end();
      await new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
}
