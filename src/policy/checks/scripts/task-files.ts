import { partsOf } from "../words.ts";
import { isFields, type ScriptReader, stringsIn } from "./reader.ts";
import { below, named, NOTHING, type Run, type Script } from "./script.ts";
import { parseIni, parseToml } from "./toml.ts";

const NONE: ReadonlySet<string> = new Set();

/** `composer name`, where `@name` and `@php` stand for further ones. */
export function composerScript(
  words: readonly string[],
  folder: string,
  reader: ScriptReader,
): Run | undefined {
  const parts = partsOf(words.slice(1), new Set(["-d", "--working-dir", "--timeout"]), 1);
  const runs = /^(?:run|run-script)$/u.test(parts.operands[0] ?? "");
  const { operands, rest } = runs ? partsOf(parts.rest, NONE, 1) : parts;
  const [name] = operands;
  const isOwn =
    /^(?:install|i|update|u|upgrade|require|r|remove|rm|create-project|config|global|init|exec|dump-autoload|dumpautoload|clear-cache|self-update|archive|reinstall|bump|check-platform-reqs|normalize|show|info|why|why-not|depends|prohibits|licenses|fund|status|suggests)$/u;
  if (name === undefined || (!runs && isOwn.test(name)) || parts.options.has("-d")) return undefined;
  const scripts = reader.fields(folder, "composer.json")?.["scripts"];
  const lines = stringsIn(isFields(scripts) ? scripts[name] : undefined).map((line) =>
    line
      .replace(/^@putenv .*/u, "true")
      .replace(/^@php\s/u, "php ")
      .replace(/^@composer\s/u, "composer ")
      .replace(/^@(?=\w)/u, "composer run "),
  );
  const args = rest[0] === "--" ? rest.slice(1) : rest;
  return { scripts: [named(name, lines, folder, args)], args };
}

/** `task name`, by the Taskfile. */
export function taskfileTask(
  words: readonly string[],
  folder: string,
  reader: ScriptReader,
): Run | undefined {
  const { operands, options, rest } = partsOf(
    words.slice(1),
    new Set(["-o", "--output", "-C", "--concurrency"]),
    Infinity,
  );
  if (["-l", "--list", "-a", "--list-all", "-n", "--dry", "--status"].some((option) => options.has(option)))
    return NOTHING;
  if (
    operands.length === 0 ||
    [...options.keys()].some((option) =>
      /^(?:-t|--taskfile|-d|--dir|-w|--watch|-i|--init|-g|--global)$/u.test(option),
    )
  )
    return undefined;
  const tasks = ["Taskfile.yml", "Taskfile.yaml", "taskfile.yml"]
    .map((file) => reader.fields(folder, file)?.["tasks"])
    .find((found) => isFields(found));
  const scripts = operands
    .filter((name) => !name.includes("="))
    .map((name): Script => {
      const task = isFields(tasks) ? tasks[name] : undefined;
      const commands = isFields(task) ? [task["deps"], task["cmds"], task["cmd"]].flat() : [task].flat();
      const dir = isFields(task) ? stringsIn(task["dir"])[0] : undefined;
      const lines = commands.flatMap((command): string[] => {
        if (typeof command === "string")
          return [isFields(task) && stringsIn(task["deps"]).includes(command) ? `task ${command}` : command];
        if (!isFields(command)) return [];
        return [...stringsIn(command["cmd"]), ...stringsIn(command["task"]).map((inner) => `task ${inner}`)];
      });
      return named(
        name,
        lines.map((line) => line.replaceAll(/\{\{[^}]*\}\}/gu, "${_}")),
        dir === undefined ? folder : below(folder, dir),
      );
    });
  return { scripts, args: rest };
}

/** Files, and sections of theirs, in which tasks stand, by the program that runs them. */
const TASKS: Readonly<Record<string, readonly [files: string, section: RegExp]>> = {
  poe: ["pyproject.toml", /^tool\.poe\.tasks$/u],
  pdm: ["pyproject.toml", /^tool\.pdm\.scripts$/u],
  rye: ["pyproject.toml", /^tool\.rye\.scripts$/u],
  hatch: ["pyproject.toml", /^tool\.hatch\.envs\.[\w.-]+\.scripts$/u],
  pixi: ["pyproject.toml pixi.toml", /^tool\.pixi\.(?:feature\.[\w-]+\.)?tasks$/u],
  taskipy: ["pyproject.toml", /^tool\.taskipy\.tasks$/u],
  mise: ["mise.toml .mise.toml mise/config.toml .mise/config.toml .config/mise.toml", /^tasks$/u],
};

/** Verbs of pdm, which takes every other word for a script. */
const OWN_PDM =
  /^(?:|add|build|cache|completion|config|export|fix|import|info|init|install|list|lock|new|outdated|plugin|publish|py|python|remove|search|self|show|sync|update|use|venv)$/u;

/** `poe name`, `pdm run name`, `hatch run env:name`, `mise run name` and their like. */
export function projectTask(words: readonly string[], folder: string, reader: ScriptReader): Run | undefined {
  const [program = "", ...rest] = words;
  const [files, section] = TASKS[program === "task" ? "taskipy" : program] ?? [];
  if (files === undefined || section === undefined) return undefined;
  const first = partsOf(rest, new Set(["-e", "--env", "-C", "--environment"]), 1);
  const [verb = ""] = first.operands;
  const needsRun = program !== "poe" && !(program === "pdm" && verb !== "run" && !OWN_PDM.test(verb));
  if (needsRun && !/^(?:run|r)$/u.test(verb)) return undefined;
  // hatch chooses environments by their variables.
  const behind = program === "hatch" ? first.rest.filter((word) => !/^[+-]\w+=/u.test(word)) : first.rest;
  const parts = needsRun ? partsOf(behind, new Set(["-e", "--environment", "-p", "--project"]), 1) : first;
  const [given] = parts.operands;
  if (given === undefined) return undefined;
  const name = program === "hatch" ? given.replace(/^[\w.+-]+:/u, "") : given;
  const sections = files.split(" ").flatMap((file) => [...parseToml(reader.text(folder, file) ?? "")]);
  const own = sections.filter(
    ([key]) => key.endsWith(`.${name}`) && section.test(key.slice(0, -name.length - 1)),
  );
  const of = (fields: readonly string[]): string[] =>
    own.flatMap(([, keys]) => fields.flatMap((field) => keys.get(field) ?? []));
  const lines = [
    ...sections.flatMap(([key, keys]) => (section.test(key) ? (keys.get(name) ?? []) : [])),
    ...of(["cmd", "shell", "run", "command"]),
  ];
  const dir = of(["dir", "cwd"])[0];
  const at = dir === undefined || dir.includes("{") ? folder : below(folder, dir);
  // Tasks of poe and hatch may name each other.
  const all = lines.map((line) =>
    sections.some(([key, keys]) => section.test(key) && keys.has(line))
      ? [program, ...(needsRun ? ["run"] : []), line].join(" ")
      : line,
  );
  const args = parts.rest[0] === "--" ? parts.rest.slice(1) : parts.rest;
  const needs = of(["deps", "depends", "depends-on", "depends_post", "wait_for"])
    .filter((task) => task !== name)
    .map((task) => ({
      ...named(task, [[program, ...(needsRun ? ["run"] : []), task].join(" ")], folder),
      isAside: true,
    }));
  const scripts = [named(given, all, at, args), ...needs];
  return needsRun && all.length === 0 && needs.length === 0
    ? { scripts, args, tool: [name, ...args] }
    : { scripts, args };
}

/** `tox -e name`, by tox.ini; a name such as py312 runs what all do. */
export function toxRun(words: readonly string[], folder: string, reader: ScriptReader): Run | undefined {
  const { options, operands, rest } = partsOf(
    words.slice(1),
    new Set(["-e", "-c", "-x", "--workdir"]),
    Infinity,
  );
  const text = reader.text(folder, "tox.ini");
  if (
    text === undefined ||
    options.has("-c") ||
    !operands.every((word) => /^(?:run|run-parallel|r|p)$/u.test(word))
  )
    return undefined;
  const sections = parseIni(text);
  const asked = (options.get("-e") ?? []).flatMap((names) => names.split(","));
  const own = [...sections.keys()].flatMap((key) => /^testenv:(.+)$/u.exec(key)?.[1] ?? []);
  const names = asked.length > 0 ? asked : ["", ...own];
  const scripts = names.map((name): Script => {
    const commands =
      sections.get(`testenv:${name}`)?.get("commands") ?? sections.get("testenv")?.get("commands");
    const lines = commands?.map((line) =>
      line
        .replace(/^-\s*/u, "")
        .replaceAll(/\{posargs(?::([^}]*))?\}/gu, rest.length > 0 ? rest.join(" ") : "$1")
        .replaceAll(/\{(?:toxinidir|tox_root)\}/gu, ".")
        .replaceAll(/\{[^}]*\}/gu, "${_}"),
    );
    return named(name === "" ? "test" : name, lines, folder);
  });
  return { scripts, args: [] };
}
