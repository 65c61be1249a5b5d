import { partsOf } from "../words.ts";
import { type Fields, isFields, type ScriptReader, stringsIn } from "./reader.ts";
import { named, NOTHING, type Run } from "./script.ts";

/** Where a program lists its tasks by their names: each of them a text, several, or fields that hold such. */
interface Listing {
  readonly verb: string;
  /** Files, with the fields that lead to the tasks. */
  readonly files: readonly string[];
  /** Options that take the next word. */
  readonly valued: string;
  /** The field beside the tasks that runs before each of them. */
  readonly before?: string;
  /** What is no task is a command. */
  readonly runsAny?: boolean;
}

const LISTINGS: Readonly<Record<string, Listing>> = {
  deno: { verb: "task", files: ["deno.json tasks", "deno.jsonc tasks"], valued: "--cwd --filter -f" },
  devbox: {
    verb: "run",
    files: ["devbox.json shell scripts"],
    valued: "-e --env --env-file --environment",
    before: "init_hook",
    runsAny: true,
  },
  melos: {
    verb: "run",
    files: ["melos.yaml scripts", "pubspec.yaml melos scripts"],
    valued: "-c --scope --ignore --concurrency --diff --depends-on --category --dir-exists --file-exists",
  },
};
/** Fields of a task that hold what it runs, and those that name further tasks. */
const COMMANDS = ["command", "run", "exec"];
const FURTHER = ["dependencies", "steps"];

/** `deno task name`, `devbox run name`, `melos run name`; `melos exec` runs a command in each package. */
export function listedTask(words: readonly string[], folder: string, reader: ScriptReader): Run | undefined {
  const [program = "", ...args] = words;
  const listing = LISTINGS[program];
  if (listing === undefined) return undefined;
  const { operands, options, rest } = partsOf(args, new Set(listing.valued.split(" ")), 2);
  const [verb, name = rest[0]] = operands;
  // Other settings, and a command line in one text.
  if (program === "devbox" && (options.has("-c") || options.has("--config"))) return undefined;
  if (program === "melos" && verb === "exec") {
    const line = [...operands.slice(1), ...rest].join(" ");
    return line === "" ? undefined : { scripts: [named("", [line], folder)], args: [] };
  }
  if (verb !== listing.verb) return undefined;
  if (options.has("-l") || options.has("--list")) return NOTHING;
  if (name === undefined) return undefined;
  const handedOn = rest.slice(operands.length === 1 || rest[0] === "--" ? 1 : 0);
  const parent = listing.files
    .map((file) => parentOf(file.split(" "), folder, reader))
    .find((found) => found !== undefined);
  const tasks = parent?.tasks ?? {};
  const task = Object.hasOwn(tasks, name) ? tasks[name] : undefined;
  const fields = isFields(task) ? task : {};
  const before = stringsIn(parent?.beside[listing.before ?? ""]);
  const further = FURTHER.flatMap((field) => stringsIn(fields[field])).map((step) =>
    Object.hasOwn(tasks, step) && step !== name ? `${program} ${listing.verb} ${step}` : step,
  );
  const own = isFields(task) ? COMMANDS.flatMap((field) => stringsIn(task[field])) : stringsIn(task);
  const scripts = [
    named(name, [...further, ...own], folder, handedOn),
    ...(before.length > 0 ? [{ ...named(name, before, folder), isAside: true }] : []),
  ];
  const isCommand = listing.runsAny === true && task === undefined;
  return isCommand ? { scripts, args: handedOn, tool: [name, ...handedOn] } : { scripts, args: handedOn };
}

/** The tasks of a file and what stands beside them. */
function parentOf(
  [file = "", ...path]: readonly string[],
  folder: string,
  reader: ScriptReader,
): { readonly tasks: Fields; readonly beside: Fields } | undefined {
  let beside: Fields = {};
  let at: unknown = reader.fields(folder, file);
  for (const step of path) {
    if (!isFields(at)) return undefined;
    beside = at;
    at = at[step];
  }
  return isFields(at) ? { tasks: at, beside } : undefined;
}
