import type { CommandNode, Statement } from "unbash";
import { always, either, every, OPEN, type Outcome } from "./outcome.ts";
import { isFilter, SPEAKING } from "./programs.ts";

/** Branches, loops and tests. @param list judges the statements inside */
export function judgeCompound(
  node: CommandNode,
  list: (statements: readonly Statement[]) => Outcome,
): Outcome {
  switch (node.type) {
    case "If": {
      return [node, ...node.elif].reduceRight<Outcome>(
        (no, { clause, then }) => {
          const [asked, yes] = [list(clause.commands), list(then.commands)];
          return {
            fails: (asked.passes && yes.fails) || (asked.fails && no.fails),
            passes: (asked.passes && yes.passes) || (asked.fails && no.passes),
            why: "no branch of it fails",
          };
        },
        node.else === undefined ? always("") : list(node.else.commands),
      );
    }
    case "While": {
      const asked = list(node.clause.commands);
      const runs = node.kind === "until" ? asked.fails : asked.passes;
      return runs ? list(node.body.commands) : always("its loop runs nothing");
    }
    case "For":
    case "Select":
      return node.wordlist?.length === 0 ? always("its loop runs nothing") : list(node.body.commands);
    case "ArithmeticFor":
      return list(node.body.commands);
    case "Case":
      return either([always("no case of it may fit"), ...node.items.map(({ body }) => list(body.commands))]);
    case "TestCommand":
      return /\$\(|`|"operator":"-[defrswxLh]"/u.test(JSON.stringify(node.expression))
        ? OPEN
        : always("it compares nothing but its own words");
    default:
      return always("it checks nothing");
  }
}

const INVERTED = /^(?:-[a-zA-Z]*v[a-zA-Z]*|--invert-match)$/u;
/** Runners whose failure is what they tell; what they print beside it proves little. */
const RUNNING =
  /^(?:(?:npx|bunx|pnpm (?:exec|dlx)|yarn(?: run| exec)?|uvx|uv run|poetry run|bundle exec|python\d? -m|mise exec --)(?: -\S+)* )*(?:(?:npm|pnpm|yarn|bun)(?: -\S+)*(?: run)? (?:t|test|lint|check|types?|typecheck|build)(?:[:\w-]*)(?= |$)|(?:vitest|jest|mocha|ava|playwright|cypress|pytest|unittest|tox|nox|tsc|eslint|biome|oxlint|ruff|mypy|pyright|flake8|pylint|rspec|phpunit|ctest|mvn|gradle)(?= |$)|\.\/gradlew |node .*--test\b|deno (?:test|lint|check)|go (?:test|vet|build)|cargo (?:test|check|clippy|build|nextest)|dotnet (?:test|build)|mix test|swift test)/u;

/** A pipe: the last one's exit code counts, and those of the others where the shell is told so. */
export function piped(
  commands: readonly (readonly string[])[],
  outcomes: readonly Outcome[],
  pipesFail: boolean,
): Outcome {
  const last = outcomes.at(-1) ?? OPEN;
  const reader = commands.at(-1) ?? [];
  if (commands.length < 2) return last;
  if (commands.every((words, at) => SPEAKING.has(words[0] ?? "") || (at > 0 && isFilter(words))))
    return always("it looks at nothing but its own words");
  const searches = /^(?:[ef]?grep|rg|jq|awk)$/u.test(reader[0] ?? "");
  const lost = commands.slice(0, -1).find((words) => RUNNING.test(words.join(" ")));
  if (!pipesFail && lost !== undefined)
    return always(`the pipe loses how \`${lost.join(" ")}\` ends (set -o pipefail keeps it)`);
  if (/^(?:[ef]?grep|rg)$/u.test(reader[0] ?? "") && reader.some((word) => INVERTED.test(word)))
    return always("one line that says something else is enough for it");
  const read = searches ? OPEN : always("the pipe takes the exit code of its last command");
  const ended = isFilter(reader) ? read : last;
  return pipesFail ? every([...outcomes.slice(0, -1), ended]) : ended;
}
