/** What the lines for programs are made of. */
export interface Connection {
  /** Where the Drive is, with the slash at its end. */
  url: string;
  username: string;
  password: string;
}

/** Programs that there are lines for. */
export const programs = [
  { value: "finder", label: "Finder (macOS)" },
  { value: "explorer", label: "Explorer (Windows)" },
  { value: "gnome", label: "Files (GNOME)" },
  { value: "rclone", label: "rclone" },
  { value: "davfs2", label: "davfs2" },
  { value: "phone", label: "Apps on phones" },
] as const;
export type ProgramName = (typeof programs)[number]["value"];

/** What to do with the lines, and what to know before. */
export const hints: Readonly<Record<ProgramName, string>> = {
  finder:
    "In Finder choose Go, then Connect to Server, and paste the address. It asks for the user name and the password.",
  explorer: "In a terminal. Windows sends passwords over https only, so this server needs a certificate for it.",
  gnome: "In Files choose Other Locations, and paste the address below. It asks for the password.",
  rclone: "In a terminal; then rclone lsf orrery: lists the Drive.",
  davfs2: "In a terminal of a Linux machine with davfs2. The first line keeps the password where only root reads it.",
  phone: "In Files by, Documents, Solid Explorer, DAVx5 or another app that speaks WebDAV.",
};

/** The address as desktops of Linux write it. */
const davAddress = ({ url, username }: Connection): string => {
  const { protocol, host, pathname } = new URL(url);
  return `${protocol === "https:" ? "davs" : "dav"}://${encodeURIComponent(username)}@${host}${pathname}`;
};

/** Lines to paste that open the Drive in a program. */
export function linesFor(program: ProgramName, connection: Connection): string {
  const { url, username, password } = connection;
  switch (program) {
    case "finder":
      return url;
    case "explorer":
      return `net use * ${url} /user:${username} ${password}`;
    case "gnome":
      return davAddress(connection);
    case "rclone":
      return `rclone config create --obscure orrery webdav url=${url} vendor=other user=${username} pass=${password}`;
    case "davfs2":
      return [
        `echo '${url} ${username} ${password}' | sudo tee -a /etc/davfs2/secrets`,
        `sudo mount -t davfs ${url} /mnt`,
      ].join("\n");
    case "phone":
      return [`Address   ${url}`, `User      ${username}`, `Password  ${password}`].join("\n");
  }
}
