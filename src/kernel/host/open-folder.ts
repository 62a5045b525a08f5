/**
 * The path of what lies in a folder that is open, by its descriptor: whoever changes names on the way to the folder meanwhile leads
 * nowhere else.
 */
export const pathInOpenFolder = (descriptor: number, name: string): string => `/proc/self/fd/${descriptor}/${name}`;
