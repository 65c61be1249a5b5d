import type { SkillServer } from "../../context/skills/skill.ts";

/** What a program needs to find its way; nothing else of the user's environment reaches a server unasked. */
const GIVEN =
  /^(?:PATH|HOME|USER|LOGNAME|SHELL|TERM|TMPDIR|TEMP|TMP|TZ|LANG|LC_\w+|XDG_\w+|SystemRoot|windir|PATHEXT|APPDATA|LOCALAPPDATA|USERPROFILE|ComSpec)$/i;
const REFERENCE = /\$\{(\w+)\}/g;

/** The environment of a server: the bare necessities, and what its skill names, `${NAME}` standing for the user's own value. Pure. */
export function environmentFor(
  { environment: wanted }: SkillServer,
  environment: NodeJS.ProcessEnv,
): NodeJS.ProcessEnv {
  const given = Object.entries(environment).filter(([name]) => GIVEN.test(name));
  const own = Object.entries(wanted).map(([name, value]) => [
    name,
    value.replaceAll(REFERENCE, (_whole, variable: string) => environment[variable] ?? ""),
  ]);
  return Object.fromEntries([...given, ...own]) as NodeJS.ProcessEnv;
}

/** The user's own variables that a server's skill refers to and that are not there. Pure. */
export function missingFor({ environment: wanted }: SkillServer, environment: NodeJS.ProcessEnv): string[] {
  const named = Object.values(wanted).flatMap((value) =>
    Array.from(value.matchAll(REFERENCE), ([, variable = ""]) => variable),
  );
  return [...new Set(named)].filter((variable) => (environment[variable] ?? "") === "");
}
