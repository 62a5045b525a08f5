import type { ProjectFile } from "../../../../src/node/apps/compose-projects/contract.ts";

/** All texts of a project. */
export interface ProjectTexts {
  file: string;
  env: string;
  files: ProjectFile[];
}

/** Every text that is other than before, with a title; nothing stands for one that was not there or is not any more. */
export function listChanges(
  before: ProjectTexts,
  after: ProjectTexts,
): { title: string; before: string; after: string }[] {
  const textOf = (files: readonly ProjectFile[], path: string) => files.find((file) => file.path === path)?.text ?? "";
  const paths = new Set([...before.files, ...after.files].map(({ path }) => path));
  return [
    { title: "Other in the file", before: before.file, after: after.file },
    { title: "Other in .env", before: before.env, after: after.env },
    ...[...paths].map((path) => ({
      title: `Other in ${path}`,
      before: textOf(before.files, path),
      after: textOf(after.files, path),
    })),
  ];
}
