import { ANYTHING, joinValues, type Value } from "./value.ts";

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

/** The variables and working folders that a script may have at one point of its run. */
export class Scope {
  /** Shared with forks until one side writes: most commands assign nothing. */
  #values: Map<string, Value>;
  #shared = false;
  #folders: readonly string[];

  constructor(values: Map<string, Value> = new Map(), folders: readonly string[] = [START_FOLDER]) {
    this.#values = values;
    this.#folders = folders;
  }

  /** Folders that the next command may run in: absolute, relative to the start, or `START_FOLDER` itself. */
  get folders(): readonly string[] {
    return this.#folders;
  }

  enter(folders: readonly string[]): void {
    this.#folders = [...new Set(folders)].slice(0, 8);
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
    if (NUMERIC_PARAMETERS.test(name)) return { kind: "number" };
    if (NAME_PARAMETERS.test(name)) return { kind: "name" };
    return DERIVED.test(name) ? ANYTHING : { kind: "any", unset: true };
  }

  /** True when the script has not set this variable and its content is the user's own environment. */
  isFromEnvironment(name: string): boolean {
    return !this.#values.has(name) && !DERIVED.test(name);
  }

  fork(): Scope {
    const fork = new Scope(this.#values, this.#folders);
    fork.#shared = true;
    this.#shared = true;
    return fork;
  }

  /** What a child shell sees: it may inherit any of these names, or none. */
  forChildShell(): Scope {
    const inherited = [...this.#values.keys()].map((name): [string, Value] => [name, ANYTHING]);
    return new Scope(new Map(inherited), this.#folders);
  }

  /** Takes over that a branch may have run: its variables and folders join those of this scope. */
  merge(branch: Scope): void {
    for (const [name, value] of this.#changes(branch))
      this.assign(name, joinValues(this.lookup(name), value));
    if (branch.#folders !== this.#folders) this.enter([...this.#folders, ...branch.#folders]);
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
