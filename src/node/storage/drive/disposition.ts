const escapeByte = (letter: string): string => `%${letter.charCodeAt(0).toString(16).toUpperCase()}`;

/** The header by which a browser saves an answer under this name, or shows it. */
export const dispositionOf = (kind: "attachment" | "inline", fileName: string): string =>
  `${kind}; filename*=UTF-8''${encodeURIComponent(fileName).replace(/['()*]/g, escapeByte)}`;
