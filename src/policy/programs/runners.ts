import { type Arg, literal, textOf } from "../shell/arg.ts";
import { found, type Program } from "./program.ts";

/** A program that starts a tool of the project without doing anything else. */
export interface Launcher {
  /** Words that begin such a call; none where the tool stands right behind the options. */
  readonly verbs: readonly string[] | null;
  /** Options that take the next word. */
  readonly valued: ReadonlySet<string>;
}

/**
 * Launchers with the verbs that begin a call and the options that take the next word. Behind `*` they are looked through
 * for checks only: they do more with other verbs and options, or are followed elsewhere.
 */
const TABLE = `npx|pnpx|bunx|uvx: -p --package --from --with --python
npm exec|x: -p --package -w --workspace -C --prefix
pnpm exec|dlx: -C --dir -F --filter --package
yarn exec|dlx|run: --cwd -p --package
bun x: --cwd
uv run: --extra --group --with --package --python -p --directory --project --env-file --index-url --no-group
*uv tool: --with --python -p --directory --project --env-file --index-url
poetry|pipenv|rye|pdm run: -C --directory -p -e --environment
*pixi run: -e --environment
hatch run: -e --env
*coverage run: --source --omit --include --rcfile --context
bundle|carton exec
mise exec|x: -C
devbox run: -e --env -c --config --env-file
pyenv|rbenv|asdf exec
volta run: --node --npm --pnpm --yarn
conda|mamba|micromamba run: -n --name -p --cwd
pipx run: --spec --python
opam exec: --switch
fnm exec: --using
*lerna|stack exec: --scope --ignore --since --concurrency
*corepack|unbuffer|dbus-run-session|fvm
*rtx|composer exec
*dotenv|dotenvx: -e -c -f
cross-env|c8|nyc|valgrind: -r --reporter --reporter-dir --report-dir --include --exclude
*time|xvfb-run`;

const LAUNCHERS = new Map<string, Launcher[]>();
const RUNNERS = new Set<string>();
for (const line of TABLE.split("\n")) {
  const [start = "", valued = ""] = line.split(": ");
  const [names = "", verbs] = start.replace("*", "").split(" ");
  const launcher = { verbs: verbs?.split("|") ?? null, valued: new Set(valued.split(" ")) };
  for (const name of names.split("|")) {
    LAUNCHERS.set(name, [...(LAUNCHERS.get(name) ?? []), launcher]);
    if (!start.startsWith("*")) RUNNERS.add(name);
  }
}

/** How a program starts others; the first that a call begins with counts. */
export function launchersOf(name: string): readonly Launcher[] {
  return LAUNCHERS.get(name) ?? [];
}

/** Those of which a call does what the tool does that it names. */
export const runners: ReadonlySet<string> = RUNNERS;

/** Options with which a runner runs a text. */
const OPAQUE = /^(?:-c|--call|--shell-mode|--with-editable)(?:=|$)/u;
/** Options with which it runs in another place. */
const ELSEWHERE = /^(?:-C|--dir|--cwd|--prefix|--directory|--project)(?:=|$)/u;

/** A variable that a runner sets for what it runs. */
const SETS = /^\w+=/u;

interface Started {
  /** Behind `env`, where the runner sets variables for it. */
  readonly command: readonly Arg[];
  readonly isElsewhere: boolean;
}

/** The command that a runner is given, its name without a version; undefined when this is no call of one. */
function startedBy(name: string, args: readonly Arg[]): Started | undefined {
  const launcher = LAUNCHERS.get(name)?.[0];
  if (launcher === undefined) return undefined;
  const { verbs, valued } = launcher;
  if (verbs?.includes(textOf(args[0]) ?? "") === false) return undefined;
  let index = verbs === null ? 0 : 1;
  let isElsewhere = false;
  const settings: Arg[] = [];
  for (; index < args.length; index++) {
    const text = textOf(args[index]);
    if (text === undefined || OPAQUE.test(text)) return undefined;
    if (text === "--") {
      index++;
      break;
    }
    const moves = ELSEWHERE.test(text);
    isElsewhere ||= moves;
    if (valued.has(text) || (moves && !text.includes("="))) index++;
    else if (SETS.test(text)) settings.push(literal(text));
    else if (!text.startsWith("-")) break;
  }
  const [tool, ...rest] = args.slice(index);
  const text = textOf(tool);
  if (text === undefined) return undefined;
  const command = [literal(text.replace(/(?<=.)@[\w.^~-]+$/u, "")), ...rest];
  return {
    command: settings.length === 0 ? command : [literal("env"), ...settings, ...command],
    isElsewhere,
  };
}

/** Managers of packages that run a script or a tool by its name alone. */
const NAMING = /^(?:yarn|pnpm|bun)$/u;
/** What may stand before that name, with a value or without one. */
const VALUED = /^(?:-w|--workspace|-C|--prefix|--dir|--filter|-F|--cwd|workspace)$/u;
const BEFORE_NAME = /^(?:-.*|run|run-script|exec|dlx|x|workspaces|foreach)$/u;
/** Verbs of theirs that change more than the project. */
const NO_NAME = /^(?:env|setup|self-update|store|server|pm)$/u;

/** The same where a manager is given a name: of a known program, or of a script, which may be anything. */
function namedBy(
  name: string,
  args: readonly Arg[],
  isProgram: (name: string) => boolean,
): Started | undefined {
  if (!NAMING.test(name)) return undefined;
  let isElsewhere = false;
  let isScript = true;
  for (let index = 0; index < args.length; index++) {
    const text = textOf(args[index]);
    if (text === undefined || OPAQUE.test(text) || /^(?:-g|--global)/u.test(text)) return undefined;
    isElsewhere ||= ELSEWHERE.test(text);
    isScript &&= !/^(?:exec|dlx|x)$/u.test(text);
    if (VALUED.test(text)) index++;
    else if (!BEFORE_NAME.test(text)) {
      if (isProgram(text)) return { command: [literal(text), ...args.slice(index + 1)], isElsewhere };
      const isName = isScript && !isElsewhere && /^[\w:.-]+$/u.test(text) && !NO_NAME.test(text);
      return isName ? { command: [], isElsewhere } : undefined;
    }
  }
  return undefined;
}

/**
 * A program that may run a tool of the project's, which is then judged as if it stood there alone.
 * @param isProgram whether something is known of a program of that name
 */
export function withTools(own: Program, isProgram: (name: string) => boolean): Program {
  return (call) => {
    const problem = own(call);
    if (typeof problem !== "string") return problem;
    const started = startedBy(call.name, call.args) ?? namedBy(call.name, call.args, isProgram);
    if (started === undefined) return problem;
    if (started.command.length === 0) return found("project", call);
    call.follow.command(started.command, call.stdin);
    // What it would do here says no more than the least of what it does there.
    return started.isElsewhere ? problem : found("project", call);
  };
}
