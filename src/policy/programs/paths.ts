import { literal, textOf } from "../shell/arg.ts";
import type { Call } from "./program.ts";

/** A text that can only be a path which leaves the folder that it starts from: no address, no expression. */
const LEAVING = /^(?:~|\/[\w.@-]|\.\.(?:\/|$)|[a-z]:[\\/])|\/\.\.(?:\/|$)/iu;

/** Whether an argument, or the value of an option, is the path of a file outside of the project. */
export function namesPathOutside({ args, walk }: Pick<Call, "args" | "walk">): boolean {
  return args.some((arg) => {
    const text = textOf(arg);
    if (text === undefined) return false;
    const parts = [text, text.replace(/^-[\w-]*=|^-[A-Za-z](?=[/~.])/u, "")].filter((part) =>
      LEAVING.test(part),
    );
    return parts.some((part) => walk.placeOf(literal(part), walk.scope.folders) === "outside");
  });
}
