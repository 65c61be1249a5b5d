import { type Arg, leading, shown, textOf } from "../shell/arg.ts";
import { gitCommand } from "../programs/git/globals.ts";
import type { DangerRule } from "./rule.ts";

/** Characters of a setting that are looked at. */
const MAX_SETTING = 512;
/** Characters of a command line that are looked at. */
const MAX_LINE = 2_048;
const FORCED = "overwrites what others see on the remote";

/** True for short options pushed together that hold `f`; `o` takes the rest as its value. */
function hasForceLetter(text: string): boolean {
  const letters = /^-([a-zA-Z0-9]+)/u.exec(text)?.[1]?.split("o", 1)[0] ?? "";
  return letters.includes("f");
}

function isForcing(text: string): boolean {
  const name = text.split("=", 1)[0] ?? "";
  if (!name.startsWith("--")) return hasForceLetter(text);
  if (name.length < 3) return false;
  return (
    name.startsWith("--force") || ["--force", "--mirror", "--prune"].some((option) => option.startsWith(name))
  );
}

function pushes(args: readonly Arg[]): string | undefined {
  const end = args.findIndex((arg) => textOf(arg) === "--");
  const options = (end === -1 ? args : args.slice(0, end)).filter((arg) => leading(arg).startsWith("-"));
  const operands = args.filter((arg, index) => !leading(arg).startsWith("-") || (end !== -1 && index > end));
  if (options.some((arg) => isForcing(shown(arg)))) return FORCED;
  return operands.some((arg) => leading(arg).startsWith("+")) ? FORCED : undefined;
}

const git: DangerRule = ({ args }) => {
  const { verb, args: rest, settings } = gitCommand(args);
  const texts = settings.map((arg) => shown(arg).slice(0, MAX_SETTING));
  const forced = texts.some((text) =>
    /^alias\.[^=]+=.*\bpush\b.*(?:\s-\w*f|--forc|--mirror|\s\+)/u.test(text),
  );
  const refspec = texts.some((text) => /^remote\.[^=]+\.(?:push=\+|mirror=true)/iu.test(text));
  if (forced || refspec) return FORCED;
  const name = textOf(verb);
  return name === "push" ||
    name === "send-pack" ||
    name === "http-push" ||
    (name === undefined && verb !== undefined)
    ? pushes(rest)
    : undefined;
};

/** jj refuses what would lose work unless told so by one of these. */
const jj: DangerRule = ({ args }) => {
  const words = args.map((arg) => shown(arg));
  const at = words.findIndex((word, index) => word === "push" && words.slice(0, index).includes("git"));
  const forced = words
    .slice(at + 1)
    .some((word) =>
      /^(?:--forc\w*(?:-[\w-]+)?|--allow-backwards|--deleted|--mirror|-f|-B)(?:=|$)/u.test(word),
    );
  return at !== -1 && forced ? FORCED : undefined;
};

/** GitHub's own ways to move a branch to where it does not follow from. */
const gh: DangerRule = ({ args }) => {
  const line = args
    .map((arg) => shown(arg))
    .join(" ")
    .slice(0, MAX_LINE);
  const synced = /^repo sync\b.*\s--force(?!=false)\b/u.test(line);
  const moved = /^api\b.*\/git\/refs\/.*\bforce=true\b/u.test(line);
  return synced || moved ? FORCED : undefined;
};

/** Pushes that make a remote forget commits. */
export const push: Readonly<Record<string, DangerRule>> = {
  git,
  hub: git,
  "git-push": ({ args }) => pushes(args),
  gh,
  jj,
};
