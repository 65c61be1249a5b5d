/** A script of the project that a command runs. */
export interface Script {
  /** As the command names it. */
  readonly name: string;
  /** Shell lines, each in a shell of its own; undefined where they cannot be read. */
  readonly lines: readonly string[] | undefined;
  /** Where it runs. */
  readonly folder: string;
  /** It runs besides what was asked for, so its name says nothing. */
  readonly isAside?: boolean;
}

/** What a call of a script runner comes down to. */
export interface Run {
  readonly scripts: readonly Script[];
  /** What is handed on to the scripts. */
  readonly args: readonly string[];
  /** What decides how every script of the file runs and ends: its shell, whether failures count. */
  readonly rules?: readonly string[];
  /** The tool that runs where the project has no such script. */
  readonly tool?: readonly string[];
}

/** What is only listed or tried out. */
export const NOTHING: Run = { scripts: [], args: [] };

/** Shell source with further arguments, each in quotes where it needs them. */
export function withArguments(source: string, args: readonly string[]): string {
  const quoted = args.map((arg) =>
    /^[\w@%+=:,./-]+$/u.test(arg) ? arg : `'${arg.replaceAll("'", String.raw`'\''`)}'`,
  );
  return [source, ...quoted].join(" ");
}

/** A script by its lines, the last of which gets what is handed on; without any, nothing is known of it. */
export function named(
  name: string,
  lines: readonly string[] | undefined,
  folder: string,
  args: readonly string[] = [],
): Script {
  const whole = lines?.map((line, index) => (index === lines.length - 1 ? withArguments(line, args) : line));
  return { name, folder, lines: whole?.length === 0 ? undefined : whole };
}

/** A path below a folder, or from the root. */
export function below(folder: string, path: string): string {
  if (path.startsWith("/") || folder === "") return path;
  return path === "." || path === "" ? folder : `${folder}/${path.replace(/^\.\//u, "")}`;
}
