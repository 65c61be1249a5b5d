import { ANYTHING, joinValues, sampled, samplesOf, type Value, LAST_JOB } from "./value.ts";

/** The home directory as the policy writes it; any absolute path below `/home` stands for it equally well. */
export const HOME = "/home/user";

/** Where a script starts: the project folder, whose real path the policy does not know. */
export const START_FOLDER = "";

const NUMERIC_PARAMETERS =
  /^(?:[#?$!]|RANDOM|LINENO|SECONDS|EPOCHSECONDS|E?UID|PPID|BASHPID|COLUMNS|LINES)$/u;
const NAME_PARAMETERS = /^(?:PWD|OLDPWD|USER|LOGNAME|HOSTNAME)$/u;
/** Parameters whose content a command line decides although it never assigns them. */
const DERIVED =
  /^(?:\d+|[@*_-]|PWD|OLDPWD|DIRSTACK|REPLY|OPTARG|MAPFILE|COMP_\w*|READLINE_\w*|BASH_\w*|FUNCNAME)$/u;

/** Folders that one command may run in, beyond which further ones are forgotten. */
const MAX_FOLDERS = 64;

/** The variables and working folders that a script may have at one point of its run. */
export class Scope {
  /** Shared with forks until one side writes: most commands assign nothing. */
  #values: Map<string, Value>;
  #shared = false;
  #folders: readonly string[];
  /** Every folder that was entered on the way here, to which `cd -` and `popd` may lead back. */
  #visited: readonly string[];

  constructor(
    values: Map<string, Value> = new Map(),
    folders: readonly string[] = [START_FOLDER],
    visited: readonly string[] = folders,
  ) {
    this.#values = values;
    this.#folders = folders;
    this.#visited = visited;
  }

  /** Folders that the next command may run in: absolute, relative to the start, or `START_FOLDER` itself. */
  get folders(): readonly string[] {
    return this.#folders;
  }

  /** How many variables it holds, each of which is looked at where two scopes meet. */
  get size(): number {
    return this.#values.size;
  }

  enter(folders: readonly string[]): void {
    this.#folders = [...new Set(folders)].slice(0, MAX_FOLDERS);
    this.remember(folders);
  }

  /** Enters a folder as seen from where the next command may run. */
  enterBelow(path: string): void {
    this.enter(
      this.#folders.map((folder) => (path.startsWith("/") || folder === "" ? path : `${folder}/${path}`)),
    );
  }

  /** Goes back to any folder that was entered before. */
  goBack(): void {
    this.enter(this.#visited);
  }

  /** Counts folders as entered before. */
  remember(folders: readonly string[]): void {
    if (folders.some((folder) => !this.#visited.includes(folder)))
      this.#visited = [...new Set([...folders, ...this.#visited])].slice(0, MAX_FOLDERS);
  }

  /** Sets the positional parameters. */
  setParameters(args: readonly string[]): void {
    this.assign("@", sampled(args));
    for (const [index, text] of args.slice(0, 9).entries()) this.assign(String(index + 1), sampled([text]));
  }

  /** Runs `step` and undoes whatever it changed here. */
  during(step: () => void): void {
    const before = this.fork();
    step();
    this.#values = before.#values;
    this.#shared = true;
    this.#folders = before.#folders;
    this.#visited = before.#visited;
  }

  assign(name: string, value: Value): void {
    if (this.#shared) this.#values = new Map(this.#values);
    this.#shared = false;
    this.#values.set(name, value);
  }

  lookup(name: string): Value {
    const value = this.#values.get(name);
    if (value !== undefined) return value;
    if (name === "HOME") return { texts: [HOME] };
    if (name === "PWD" || name === "OLDPWD") {
      const folders = name === "PWD" ? this.#folders : this.#visited;
      return sampled(
        folders.filter((folder) => folder.startsWith("/")),
        "name",
      );
    }
    if (name === "!") return LAST_JOB;
    if (NUMERIC_PARAMETERS.test(name)) return { kind: "number" };
    if (NAME_PARAMETERS.test(name)) return { kind: "name" };
    return DERIVED.test(name) ? ANYTHING : { kind: "any", unset: true };
  }

  /** True when the script has not set this variable and its content is the user's own environment. */
  isFromEnvironment(name: string): boolean {
    return !this.#values.has(name) && !DERIVED.test(name);
  }

  fork(): Scope {
    const fork = new Scope(this.#values, this.#folders, this.#visited);
    fork.#shared = true;
    this.#shared = true;
    return fork;
  }

  /** What a child shell sees: it may inherit any of these names, or none. */
  forChildShell(): Scope {
    const inherited = [...this.#values].map(([name, value]): [string, Value] => [
      name,
      sampled(samplesOf(value)),
    ]);
    return new Scope(new Map(inherited), this.#folders, this.#visited);
  }

  /** Takes over that a branch may have run: its variables and folders join those of this scope. */
  merge(branch: Scope): void {
    for (const [name, value] of this.#changes(branch))
      this.assign(name, joinValues(this.lookup(name), value));
    if (branch.#folders !== this.#folders) this.enter([...this.#folders, ...branch.#folders]);
    this.remember(branch.#visited);
  }

  /** Forgets what every variable holds that the script has set. */
  forgetAll(): void {
    for (const name of this.#values.keys()) this.assign(name, ANYTHING);
  }

  /** Forgets what the variables of `branch` held wherever it differs from this scope. */
  forgetChanges(branch: Scope): void {
    for (const [name] of this.#changes(branch)) this.assign(name, ANYTHING);
  }

  #changes(branch: Scope): [string, Value][] {
    if (branch.#values === this.#values) return [];
    return [...branch.#values].filter(([name, value]) => this.#values.get(name) !== value);
  }
}
