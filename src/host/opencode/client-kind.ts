import type { ClientKind } from "../port.ts";

/** Options before the command that take a value. */
const WITH_VALUE: ReadonlySet<string> = new Set(["--log-level"]);
/** With these someone is there, or the work is done in another process. */
const ELSEWHERE = /^(?:--attach|--interactive|--mini|-i)(?:=|$)/;

/** The command that this OpenCode was begun with; empty for the terminal. @param argv as Node and Bun give it */
function commandOf(argv: readonly string[]): string {
  const args = argv.slice(2);
  return args.find((arg, at) => !arg.startsWith("-") && !WITH_VALUE.has(args[at - 1] ?? "")) ?? "";
}

/** Whether this process is an `opencode run` that does the work itself. Pure. */
export function isOneShot(argv: readonly string[]): boolean {
  return commandOf(argv) === "run" && !argv.slice(2).some((arg) => ELSEWHERE.test(arg));
}

/** Who talks to this process. Pure. */
export function clientKind(argv: readonly string[]): ClientKind {
  const command = commandOf(argv);
  if (command === "acp") return "editor";
  return command === "serve" || command === "web" ? "any" : "terminal";
}
