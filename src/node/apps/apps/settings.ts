import type { SettingTable } from "../../../kernel/settings.ts";
import { mirrorFault, parseLogins } from "./images/image-reference.ts";

/** What is wrong with a list of logins; null when nothing is. */
function loginsFault(value: string): string | null {
  try {
    parseLogins(value);
    return null;
  } catch (error) {
    return error instanceof SyntaxError ? "must be a JSON list" : String(error).replace(/^Error: /, "");
  }
}

/** What an admin may change about apps. */
export const APP_SETTINGS: SettingTable = {
  "apps.registry_mirror": {
    default: "",
    byPeopleOnly: true,
    doc: "Registry to pull from instead of Docker Hub, such as mirror.lan:5000; ghcr.io=mirror.lan:5000/ghcr for others",
    check: mirrorFault,
  },
  "apps.registry_credentials": {
    default: "",
    doc: 'Registry logins as JSON: [{"registry":"docker.io","username":"…","password":"…"}]',
    secret: true,
    check: loginsFault,
  },
  "apps.publish_default": {
    default: "visitor",
    // The widest choice opens every app that is installed from then on to the whole network.
    byPeopleOnly: true,
    doc: "Who reaches the ports of a new app unless its template says otherwise: visitor (the network of whoever installs it), loopback or lan",
    check: (value) => (["visitor", "loopback", "lan"].includes(value) ? null : "must be visitor, loopback or lan"),
  },
};
