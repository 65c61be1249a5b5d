/** Options before the command that take a value. */
const WITH_VALUE: ReadonlySet<string> = new Set(["--log-level"]);
/** With these someone is there, or the work is done in another process. */
const ELSEWHERE = /^(?:--attach|--interactive|--mini|-i)(?:=|$)/;

/** Whether this process is an `opencode run` that does the work itself. Pure. @param argv as Node and Bun give it */
export function isOneShot(argv: readonly string[]): boolean {
  const args = argv.slice(2);
  const command = args.find((arg, index) => !arg.startsWith("-") && !WITH_VALUE.has(args[index - 1] ?? ""));
  return command === "run" && !args.some((arg) => ELSEWHERE.test(arg));
}
