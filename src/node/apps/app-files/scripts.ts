/** What the scripts end with, where it is none of their tools' own. */
export const ENDS = { link: 21, missing: 22, exists: 23, noTools: 127 };

/** A shell script for a volume; its first words are where that lies and the folder in it. Names are words, never part of the text. */
export interface Script {
  text: string;
  words: readonly string[];
  /** The name in that folder that it is about, for people; none when it is about the folder. */
  about: readonly string[];
  isChanging: boolean;
}

/** Goes down name by name, through folders only. */
const ENTER = `
set -f
for tool in find stat mv rm mkdir chown chmod head; do command -v "$tool" >/dev/null 2>&1 || exit ${ENDS.noTools}; done
cd "$1" || exit ${ENDS.missing}
IFS=/
for part in $2; do
  [ ! -L "./$part" ] || exit ${ENDS.link}
  [ -d "./$part" ] || exit ${ENDS.missing}
  cd "./$part" || exit ${ENDS.missing}
done
IFS=' '
is_there() { [ -e "./$1" ] || [ -L "./$1" ]; }
`;

/** Only looks whether the folder is there. */
export const enterScript: Script = { text: ENTER, words: [], about: [], isChanging: false };

/** What a listing may say; the rest of a huge folder is left out. */
const LIST_BYTES = 4_000_000;

/** Says kind, size, time and name of everything in a folder, each behind `mark`: a name may hold any text. */
export const listScript = (mark: string): Script => ({
  text: `${ENTER}
find . -mindepth 1 -maxdepth 1 -exec stat -c "$3 %f %s %Y %n" {} + 2>/dev/null | head -c ${LIST_BYTES}`,
  words: [mark],
  about: [],
  isChanging: false,
});

/** Says whether a name is a file or a folder. */
export const kindScript = (name: string): Script => ({
  text: `${ENTER}
[ ! -L "./$3" ] || exit ${ENDS.link}
if [ -d "./$3" ]; then echo folder; elif [ -f "./$3" ]; then echo file; else exit ${ENDS.missing}; fi`,
  words: [name],
  about: [name],
  isChanging: false,
});

/** Makes a folder, which belongs to whom the one around it belongs. */
export const makeFolderScript = (name: string): Script => ({
  text: `${ENTER}
is_there "$3" && exit ${ENDS.exists}
mkdir "./$3" && chown "$(stat -c %u:%g .)" "./$3"`,
  words: [name],
  about: [name],
  isChanging: true,
});

/** Gives a file or folder another name where it is. */
export const renameScript = (name: string, next: string): Script => ({
  text: `${ENTER}
is_there "$3" || exit ${ENDS.missing}
is_there "$4" && exit ${ENDS.exists}
mv "./$3" "./$4"`,
  words: [name, next],
  about: [name],
  isChanging: true,
});

/** Removes a file, a link, or a folder with all that is in it. */
export const removeScript = (name: string): Script => ({
  text: `${ENTER}
is_there "$3" || exit ${ENDS.missing}
rm -rf "./$3"`,
  words: [name],
  about: [name],
  isChanging: true,
});

/** A file on its way: under the hidden name until it is whole, and whether it may take the place of another one. */
interface Coming {
  name: string;
  hidden: string;
  isOver: boolean;
}

const MAY_COME = `
[ ! -L "./$3" ] || exit ${ENDS.link}
[ ! -d "./$3" ] || exit ${ENDS.exists}
[ ! -e "./$3" ] || [ "$5" = over ] || exit ${ENDS.exists}`;

const coming = ({ name, hidden, isOver }: Coming, text: string): Script => ({
  text: `${ENTER}${text}`,
  words: [name, hidden, isOver ? "over" : "new"],
  about: [name],
  isChanging: true,
});

/** Looks whether a file may come, and says whose it will be. */
export const mayUploadScript = (file: Coming): Script => coming(file, `${MAY_COME}\nstat -c "%u %g" .`);

/** Puts a file that is whole in its place at once; one that it takes the place of leaves it owner and mode. */
export const endUploadScript = (file: Coming): Script =>
  coming(
    file,
    `${MAY_COME}
if [ -e "./$3" ]; then chown "$(stat -c %u:%g "./$3")" "./$4" && chmod "$(stat -c %a "./$3")" "./$4" || exit 1; fi
mv -f "./$4" "./$3"`,
  );

/** Removes what has come of a file. */
export const dropUploadScript = (file: Coming): Script => coming(file, `\nrm -f "./$4"`);
