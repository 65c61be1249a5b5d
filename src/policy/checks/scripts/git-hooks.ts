import { partsOf } from "../words.ts";
import { type Fields, isFields, type ScriptReader, stringsIn } from "./reader.ts";
import { below, named, type Run, type Script, withArguments } from "./script.ts";

/** Hooks of pre-commit that go by other names than their tools. */
const HOOKS: Readonly<Record<string, string>> = {
  ruff: "ruff check",
  "ruff-check": "ruff check",
  "ruff-format": "ruff format",
  fmt: "cargo fmt",
  "go-fmt": "gofmt -w",
  terraform_fmt: "terraform fmt",
};

const PLACEHOLDER = /\{(?:staged_|all_|push_)?files\}|\{(?:cmd|\d)\}/gu;
const LEFTHOOK = ["lefthook.yml", "lefthook.yaml", ".lefthook.yml", ".lefthook.yaml", ".config/lefthook.yml"];
/** Groups of jobs in each other that are looked at. */
const MAX_GROUPS = 4;

/** `lefthook run hook`, by the commands and jobs of that hook. */
export function lefthookRun(words: readonly string[], folder: string, reader: ScriptReader): Run | undefined {
  const picks = ["--commands", "--command", "--jobs", "--job"];
  const { options, operands } = partsOf(words.slice(1), new Set([...picks, "--tags", "--file"]), Infinity);
  const [verb, hook = ""] = operands;
  if (verb !== "run" || hook === "") return undefined;
  const files = [...LEFTHOOK, ...LEFTHOOK.map((name) => name.replace("lefthook.", "lefthook-local."))]
    .map((name) => reader.fields(folder, name))
    .filter((fields) => fields !== undefined);
  const jobs = files.flatMap((fields) => jobsOf(fields[hook]));
  const asked = picks.flatMap((name) => options.get(name) ?? []).flatMap((names) => names.split(","));
  const scripts = jobs
    .filter(([name]) => asked.length === 0 || asked.includes(name))
    .map(([name, job]): Script => {
      const lines = [
        ...Object.entries(isFields(job["env"]) ? job["env"] : {}).map(([key, value]) =>
          withArguments("export", [`${key}=${String(value)}`]),
        ),
        ...stringsIn(job["run"]).map((line) => line.replaceAll(PLACEHOLDER, "files")),
      ].join("\n");
      const isKnown = typeof job["run"] === "string";
      const added = job["stage_fixed"] === true ? ["git add files"] : [];
      const root = stringsIn(job["root"])[0] ?? ".";
      return { name, folder: below(folder, root), lines: isKnown ? [lines, ...added] : undefined };
    });
  // What other files add, nobody reads here.
  const isOpen = files.some((fields) => fields["extends"] !== undefined || fields["remotes"] !== undefined);
  return jobs.length === 0 || isOpen
    ? { scripts: [...scripts, { name: hook, lines: undefined, folder }], args: [] }
    : { scripts, args: [] };
}

/** The jobs of a hook with their names, those in groups as well. */
function jobsOf(hook: unknown, depth = 0): readonly (readonly [string, Fields])[] {
  if (!isFields(hook) || depth > MAX_GROUPS) return [];
  const byName = [hook["commands"], hook["scripts"]].flatMap((each) =>
    isFields(each) ? Object.entries(each) : [],
  );
  const listed: readonly unknown[] = Array.isArray(hook["jobs"]) ? hook["jobs"] : [];
  const inList = listed.flatMap((job): readonly (readonly [string, unknown])[] => {
    if (!isFields(job)) return [];
    const group = jobsOf(job["group"], depth + 1);
    return group.length > 0 ? group : [[stringsIn(job["name"])[0] ?? "", job]];
  });
  return [...byName, ...inList].flatMap(([name, job]): (readonly [string, Fields])[] =>
    isFields(job) ? [[name, job]] : [],
  );
}

/** `pre-commit run`, by the hooks that its file lists. */
export function preCommitRun(
  words: readonly string[],
  folder: string,
  reader: ScriptReader,
): Run | undefined {
  const valued = new Set(["--files", "--from-ref", "--to-ref", "--hook-stage", "-s", "-o"]);
  const { options, operands } = partsOf(words.slice(1), valued, Infinity);
  const [verb, asked] = operands;
  if (verb !== "run" || options.has("-c") || options.has("--config")) return undefined;
  const file = reader.fields(folder, ".pre-commit-config.yaml");
  const repositories: readonly unknown[] = Array.isArray(file?.["repos"]) ? file["repos"] : [];
  const hooks = repositories.flatMap((repository): readonly unknown[] => {
    const listed = isFields(repository) ? repository["hooks"] : [];
    return Array.isArray(listed) ? listed : [];
  });
  const lines = hooks.flatMap((hook): string[] => {
    const id = isFields(hook) ? (stringsIn(hook["id"])[0] ?? "") : "";
    if (!isFields(hook) || id === "" || (asked !== undefined && asked !== id)) return [];
    const line = stringsIn(hook["entry"])[0] ?? HOOKS[id] ?? id;
    return [withArguments(line, stringsIn(hook["args"] ?? []))];
  });
  return { scripts: [named("lint", lines, folder)], args: [] };
}
