import type { ComponentChildren } from "preact";
import { socketUrl } from "../../parts/terminal/connection.ts";
import { openCreditSocket } from "../../parts/terminal/credit-socket.ts";
import { TerminalTabs } from "../../parts/terminal/terminal-tabs.tsx";

/** Terminals of a node, side by side; `askPath` gets a ticket and says where the socket for it is. */
export function Terminals({
  title,
  askPath,
  form,
}: {
  title: string;
  askPath: (size: { columns: number; rows: number }) => Promise<string>;
  form?: ComponentChildren;
}) {
  return (
    <TerminalTabs
      form={form}
      place={{
        title,
        connect: async (size, hearing) => openCreditSocket(socketUrl(await askPath(size)), hearing),
      }}
    />
  );
}
