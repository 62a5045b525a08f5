import { type OpenPty, openPty, type Pty } from "../../../kernel/host/pty.ts";
import type { RunProgram } from "../../../kernel/host/run-program.ts";
import { seconds } from "../../../lib/duration.ts";
import type { HostTalk, HostWork } from "./host-work.ts";
import { hostFail, type VerbInput, type VerbOutput } from "./verbs.ts";

const ENV = { LANG: "C.UTF-8", LC_ALL: "C.UTF-8" };
const QUESTION_MS = seconds(10);
/** Where programs are found before the shell's own files say otherwise. */
const PATH = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin";
/** Shells of accounts that nobody is to sign in to. */
const NO_SHELL = /\/(nologin|false|sync|shutdown|halt)$/;

interface Account {
  name: string;
  uid: number;
  gid: number;
  home: string;
  shell: string;
}

interface Deps {
  run: RunProgram;
  /** Another way to open a terminal, for tests. */
  open?: OpenPty;
  /** The number of the user that this process is. */
  ownUid?: number;
}

export interface Shells {
  /** A login shell of a user on a terminal of its own, until it ends or nobody is there. */
  talk(wanted: VerbInput<"terminal.open">, work: HostWork): Promise<VerbOutput<"terminal.open">>;
}

/** Shells of this server's users. */
export function createShells({ run, open = openPty, ownUid = process.getuid?.() ?? 0 }: Deps): Shells {
  async function findAccount(user: string): Promise<Account> {
    const { code, stdout } = await run(["getent", "passwd", user], { timeoutMs: QUESTION_MS, env: ENV });
    const [name = "", , uid, gid, , home, shell] = (stdout.split("\n")[0] ?? "").split(":");
    if (code !== 0 || name !== user) throw hostFail("terminal_user_unknown", { user });
    const account = { name, uid: Number(uid), gid: Number(gid), home: home || "/", shell: shell || "/bin/sh" };
    if (user !== "root" && account.uid === 0)
      throw hostFail("terminal_user_refused", { user, reason: "it is root by another name" });
    if (NO_SHELL.test(account.shell)) throw hostFail("terminal_user_refused", { user, reason: "it has no shell" });
    if (ownUid !== 0 && account.uid !== ownUid)
      throw hostFail("terminal_user_refused", { user, reason: "Orrery does not run as root here" });
    return account;
  }

  /** What starts a shell of that user; only root can become somebody else. */
  function argvOf({ uid, gid, shell }: Account): string[] {
    if (uid === ownUid) return [shell, "-l"];
    return ["setpriv", `--reuid=${uid}`, `--regid=${gid}`, "--init-groups", "--", shell, "-l"];
  }

  async function start({ user, ...size }: VerbInput<"terminal.open">): Promise<Pty> {
    const account = await findAccount(user);
    const { name, home, shell } = account;
    const env = { PATH, HOME: home, USER: name, LOGNAME: name, SHELL: shell, TERM: "xterm-256color", LANG: ENV.LANG };
    try {
      return open({ argv: argvOf(account), env, cwd: "/", size });
    } catch (error) {
      throw hostFail("terminal_failed", { reason: error instanceof Error ? error.message : String(error) });
    }
  }

  return {
    async talk(wanted, { talk, signal }) {
      if (talk === undefined)
        throw hostFail("host_request_refused", { reason: "a terminal needs somebody to talk to" });
      signal?.throwIfAborted();
      const pty = await start(wanted);
      signal?.addEventListener("abort", pty.close, { once: true });
      if (signal?.aborted) pty.close();
      try {
        talk.opened();
        const typing = type(pty, talk);
        for await (const bytes of pty.output) await talk.output(bytes);
        const exit_code = await pty.exited;
        void typing.catch(() => {});
        return { exit_code };
      } finally {
        signal?.removeEventListener("abort", pty.close);
        pty.close();
      }
    },
  };
}

async function type(pty: Pty, { input }: HostTalk): Promise<void> {
  for await (const each of input) {
    if ("bytes" in each) await pty.write(each.bytes);
    else pty.resize(each);
  }
}
