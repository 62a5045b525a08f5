/** A file at a target. */
export interface Entry {
  name: string;
  size: number;
}

/**
 * Where a repository lies. Names are `packs/ab/abcd…`: lower-case words, digits, dots and dashes between slashes. Nothing that is
 * there is ever changed. Every verb throws EngineFailure.
 */
export interface Target {
  /** Puts it there whole and lasting, or not at all; `target_exists` where something of that name is there already. */
  write(name: string, bytes: Uint8Array): Promise<void>;
  /**
   * Throws `target_missing` where there is nothing of that name, and `damaged` where a whole file has more than `most` bytes: what a target
   * says of sizes is not believed.
   */
  read(name: string, range?: Range, most?: number): Promise<Uint8Array>;
  /** What is below a folder, by name; nothing where there is no such folder. */
  list(folder: string): Promise<Entry[]>;
  /** Nothing happens where there is none. */
  remove(name: string): Promise<void>;
  /** What people should know of it that does not keep it from being used, in sentences. */
  warnings(): readonly string[];
}

/** What a listing has found until now. */
export interface Listing {
  files: Entry[];
  /** All that was named, and the folders among it. */
  named: number;
  folders: number;
}

/** What is read whole at most where nothing less is said. */
export const MOST_FILE_BYTES = 64 * 1024 * 1024;

/** A piece of a file. */
export interface Range {
  at: number;
  length: number;
}

interface LocalPlace {
  type: "local";
  path: string;
}

/** Ports of this program, which are never called. */
interface Remote {
  own_ports: readonly number[];
}

/** A bucket of any S3 server, or what lies below a prefix in it. */
export interface S3Place extends Remote {
  type: "s3";
  endpoint: string;
  region: string;
  bucket: string;
  /** Empty, or ends with a slash. */
  prefix: string;
  access_key: string;
  secret_key: string;
}

/** A folder of a WebDAV server. */
export interface WebdavPlace extends Remote {
  type: "webdav";
  /** Ends with a slash. */
  url: string;
  username: string;
  password: string;
}

/** A folder of an SFTP server. */
export interface SftpPlace extends Remote {
  type: "sftp";
  host: string;
  port: number;
  /** Ends with a slash. */
  path: string;
  username: string;
  /** Either of these opens it; the other is empty. */
  password: string;
  private_key: string;
  /** Fingerprint of the server's key, as `SHA256:…`; empty before anybody saw it. */
  host_key: string;
}

/** A place that another Orrery keeps for this one. */
export interface NodePlace extends Remote {
  type: "node";
  /** Of the other server, without a slash at its end. */
  url: string;
  /** Opens that place and nothing else. */
  key: string;
}

/** What a target is made of, as it travels to the engine's thread. */
export type TargetPlace = LocalPlace | S3Place | SftpPlace | WebdavPlace | NodePlace;
