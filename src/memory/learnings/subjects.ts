/** What looks like a path or a file name in prose. */
const FILE =
  /(?<![\p{L}\p{M}\w@./\\-])(?:\.\/)?[\p{L}\p{M}\w@-][\p{L}\p{M}\w@./-]{0,120}\.[a-z]\w{0,7}(?![\p{L}\p{M}\w])/giu;
/** A command in prose: more than one word between back ticks. */
const COMMAND = /`([\w./-]+ [^`]{1,100})`/g;

/** What a text names that facts can speak of. */
export interface Subjects {
  /** Paths, or file names alone. */
  readonly files: readonly string[];
  readonly commands: readonly string[];
}

/** The files and commands that a text names; pure. */
export function subjectsOf(text: string): Subjects {
  const commands = [...text.matchAll(COMMAND)].map(([, command = ""]) => plain(command));
  const files = (text.match(FILE) ?? []).map((path) => path.replace(/^\.\//, ""));
  return { files, commands };
}

/** Whether one of these paths, relative to the project, is the file that is named. */
export function isFileNamed(named: string, paths: readonly string[]): boolean {
  return paths.some((path) => path === named || path.endsWith(`/${named}`));
}

/** Whether a command that ran is the one that is named, with or without further arguments. */
export function isCommandNamed(named: string, ran: string): boolean {
  return `${plain(ran)} `.startsWith(`${named} `);
}

function plain(command: string): string {
  return command.trim().replaceAll(/\s+/g, " ");
}
