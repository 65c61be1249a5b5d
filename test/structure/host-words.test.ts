import { describe, expect, it } from "vitest";
import { readSources } from "./imports.ts";

/** Words of OpenCode's: names of tools and of their arguments, of hooks, and how it writes ids. */
const WORDS = [
  /\bfilePath\b|\bpatchText\b|\boldString\b|\bnewString\b|\bfilediff\b/,
  /\bapply_patch\b|\btodowrite\b/,
  /\b(?:session|call|message|part|request|provider|model)ID\b/,
  /\bexperimental\.(?:chat|session|text|compaction)\b|\bchat\.(?:message|params|headers)\b/,
  /\btool\.execute\b|\bcommand\.execute\b|\bshell\.env\b|metadata\.exit\b|\["exit"\]/,
  /\btool [!=]== "/,
  /@opencode-ai\//,
  // Names of its errors, of its permissions, and of a tool that are no common words.
  /\b(?:API|Unknown|Provider\w+|ModelNotFound|ContextOverflow|Message(?:Aborted|OutputLength))Error\b/,
  /\b(?:webfetch|websearch|external_directory|doom_loop)\b|customize-opencode/,
  /\b(?:tool|permission|examine)\b.{0,12}["']bash["']|\bbash: "(?:allow|ask|deny)"|\["bash"\]/,
];

/** The adapters themselves: the plugin's, the panel's, and the command line, which sets OpenCode up. */
const ADAPTERS = /^(?:host|tui|cli|scripted-model)\//;

/**
 * `tool === "` of the plugin's own tools is no word of the host's; the configuration says what its users write of OpenCode,
 * `plugin.ts` is where the adapter is put in, and `index.ts` has the form in which OpenCode loads it.
 */
const ALLOWED: Readonly<Record<string, RegExp>> = {
  "config/agent-override.ts": /customize-opencode/,
  "index.ts": /@opencode-ai\/plugin/,
  "plugin.ts": /@opencode-ai\/plugin/,
};
const OWN_TOOLS = /tool (?:===|!==) "(?:delegate_gaia|plan_gaia|recall_gaia|collect_results)"|RECORD_TOOL/;

const sources = await readSources("src");

describe("the host's words", () => {
  it.each(WORDS)("stay in src/host: %s", (word) => {
    const found = [...sources]
      .filter(([path]) => !ADAPTERS.test(path))
      .flatMap(([path, text]) =>
        text
          .split("\n")
          .filter((line) => word.test(line) && !OWN_TOOLS.test(line) && !isAllowed(path, line))
          .map((line) => `${path}: ${line.trim()}`),
      );
    expect(found).toEqual([]);
  });

  it("are looked for where there are some", () => {
    const host = [...sources].filter(([path]) => path.startsWith("host/")).map(([, text]) => text);
    expect(WORDS.filter((word) => !host.some((text) => word.test(text)))).toEqual([]);
  });

  it("reach hooks through our own events only", () => {
    const importing = [...sources].filter(
      ([path, text]) => !ADAPTERS.test(path) && /host\/opencode\//.test(text),
    );
    expect(importing.map(([path]) => path)).toEqual(["plugin.ts"]);
  });
});

function isAllowed(path: string, line: string): boolean {
  return Object.entries(ALLOWED).some(([prefix, text]) => path.startsWith(prefix) && text.test(line));
}
