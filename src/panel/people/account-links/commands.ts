import { type Command, type CommandOptions, EXIT, UsageError } from "../../../kernel/service/cli.ts";
import type { DataAccess } from "../../../kernel/service/data-access.ts";
import { toIso } from "../../../lib/clock.ts";
import type { MadeLink } from "./logic.ts";

/** What the commands work with. */
export interface AccountCommandNeeds {
  accountLinks: {
    offerReset(email: string): Promise<MadeLink | null>;
    inviteAccount(email: string, name: string): Promise<MadeLink | null>;
    setStaff(email: string, staff: boolean): Promise<boolean>;
  };
}

type Access = DataAccess<AccountCommandNeeds>;

const email = { type: "string", value: "ADDRESS", doc: "The address of the account" } as const;

/** `invite`, `reset-password` and `staff`; all work beside a running panel. */
export const createAccountCommands = (data: Access): readonly Command[] => [
  inviteCommand(data),
  resetCommand(data),
  staffCommand(data),
];

function emailOf(options: CommandOptions): string {
  const given = options.text("email");
  if (given === undefined || !/^[^\s@]+@[^\s@]+$/.test(given) || given.length > 254)
    throw new UsageError("say whose account: --email ada@example.org");
  return given;
}

/** Without a public address the panel does not know how people reach it. */
function printLink(print: (line: string) => void, { url, expires_at }: MadeLink): void {
  const isWhole = !url.startsWith("/");
  print(isWhole ? url : `${url}   (after the address of the panel; set CP_PUBLIC_URL to have it printed whole)`);
  print(`Good once, until ${toIso(expires_at)}. Whoever holds it chooses the password.`);
}

const inviteCommand = (data: Access): Command => ({
  name: "invite",
  summary: "Make an account with a workspace, whoever may register, and print the link into it",
  options: {
    email,
    name: { type: "string", value: "NAME", doc: "What the person is called" },
    ...data.option,
  },
  run(options, print) {
    const address = emailOf(options);
    const name = options.text("name")?.trim() ?? "";
    if (name === "" || name.length > 100) throw new UsageError("say who it is: --name NAME, 100 characters at most");
    return data.open(options, async ({ accountLinks }) => {
      const link = await accountLinks.inviteAccount(address, name);
      if (!link) throw new Error(`${address} has an account already; reset-password gives its owner a way back in`);
      printLink(print, link);
      return EXIT.ok;
    });
  },
});

const resetCommand = (data: Access): Command => ({
  name: "reset-password",
  summary: "Print a link by which the owner of an account chooses a new password",
  options: { email, ...data.option },
  run(options, print) {
    const address = emailOf(options);
    return data.open(options, async ({ accountLinks }) => {
      const link = await accountLinks.offerReset(address);
      if (!link) throw new Error(`there is no account ${address}`);
      printLink(print, link);
      print("Until it is used nothing changes; then every session of the account ends. Where its address is unproven,");
      print("its second factors and linked sign-ins are taken off too: anybody could have registered with it.");
      return EXIT.ok;
    });
  },
});

const staffCommand = (data: Access): Command => ({
  name: "staff",
  summary: "Make an account platform staff, or end that",
  options: {
    email,
    remove: { type: "boolean", doc: "End it" },
    ...data.option,
  },
  run(options, print) {
    const address = emailOf(options);
    const staff = !options.flag("remove");
    return data.open(options, async ({ accountLinks }) => {
      if (!(await accountLinks.setStaff(address, staff))) throw new Error(`there is no account ${address}`);
      print(
        staff
          ? `${address} is platform staff now. Its rights begin with a second factor: under Security of the account.`
          : `${address} is not platform staff any more.`,
      );
      return EXIT.ok;
    });
  },
});
