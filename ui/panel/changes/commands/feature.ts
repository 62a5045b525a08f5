import { lazy } from "../../../client/lazy.ts";
import type { Command } from "../../../kit/palette.tsx";
import type { Feature } from "../../../shell/feature.ts";
import { may } from "../../client/permissions.ts";
import { selected } from "../../fleet/fleet/selection.ts";
import { askCommand, here, type Target, type Verb } from "./ask.ts";
import { SendPrompt } from "./prompt.tsx";
import { targetsText, verbLook } from "./words.ts";

const verbs: { verb: Verb; icon: Command["icon"]; words: string }[] = [
  { verb: "update", icon: "download", words: "upgrade version release command" },
  { verb: "restart", icon: "restart", words: "app reboot command" },
  { verb: "run", icon: "terminal", words: "execute program script command" },
  { verb: "refresh", icon: "sync", words: "refresh inventory facts command" },
];

/** What the commands of the palette are for: the selected nodes, else the one whose page is open, else one to be chosen. */
function targets(): readonly Target[] {
  if (selected.value.size > 0) return [...selected.value.values()];
  return here.value === null ? [] : [here.value];
}

/** Having nodes do something. */
export const commandsFeature: Feature = {
  screens: [
    {
      id: "commands",
      pattern: "/commands",
      title: "Commands",
      icon: "terminal",
      nav: { key: "m", group: "main", order: 50 },
      mayOpen: () => may("fleet:write"),
      view: lazy(() => import("./commands.tsx").then((module) => module.CommandsScreen)),
    },
  ],
  prompt: SendPrompt,
  commands: {
    order: 130,
    use: () => {
      if (!may("fleet:write")) return [];
      const nodes = targets();
      const whom = nodes.length === 0 ? "" : ` (${targetsText(nodes)})`;
      return verbs.map(({ verb, icon, words }) => ({
        id: `command-${verb}`,
        title: `${verbLook[verb].title}…${whom}`,
        group: "Fleet",
        icon,
        words,
        run: () => askCommand(verb, nodes),
      }));
    },
  },
};
