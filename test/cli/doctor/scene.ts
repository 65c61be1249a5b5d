import { mkdir, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { examine } from "../../../src/cli/doctor/checks.ts";
import { lookAtSetup } from "../../../src/cli/doctor/setup.ts";
import { renderDoctorReport } from "../../../src/cli/doctor/command.ts";
import type { Reading, RunOpenCode } from "../../../src/cli/doctor/opencode.ts";
import { readOwnPackage } from "../../../src/cli/own-package.ts";
import { TOOL_NAMES } from "../../../src/tools/announced.ts";
import { openFolder } from "../../support/directory.ts";

/** How the fake OpenCode answers, by its arguments. */
export type Answers = Record<"--version" | "debug config" | "models --verbose", Reading<string>> & {
  /** Why commands cannot be contained. */
  uncontained: string | null;
  /** Why their system calls cannot be filtered. */
  unfiltered: string | null;
};

/** A project and a user's home in a temporary folder, and an OpenCode that answers as it is told. */
export type DoctorScene = Awaited<ReturnType<typeof openHealthyScene>>;

/** The output of `opencode debug config`. */
export function mergedConfig(
  plugins: readonly { spec: unknown; source: string }[],
  rest: object = {},
): Reading<string> {
  const permission = Object.fromEntries(TOOL_NAMES.map((name) => [name, "deny"]));
  return { value: JSON.stringify({ plugin_origins: plugins, permission, ...rest }) };
}

/** A set-up with nothing wrong in it. */
export async function openHealthyScene() {
  const root = await openFolder();
  const project = join(root, "project");
  const put = async (path: string, text: string): Promise<string> => {
    const file = join(root, path);
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, text, { mode: path.startsWith("bin/") ? 0o755 : 0o644 });
    return file;
  };
  await put("project/.git/HEAD", "ref: refs/heads/main\n");
  for (const folder of ["objects", "refs"]) await mkdir(join(project, ".git", folder));
  const source = await put("project/opencode.json", '{"plugin": ["opencode-gaia"]}');
  await put("project/.gaia/config.jsonc", '{ "preset": "local" }');
  const environment = {
    PATH: join(root, "bin"),
    XDG_CONFIG_HOME: join(root, "user"),
    XDG_CACHE_HOME: join(root, "cache"),
    XDG_DATA_HOME: join(root, "data"),
    SECRET_API_TOKEN: "sk-live-0123456789abcdef0123456789abcdef",
  };
  const answers: Answers = {
    "--version": { value: "1.18.33\n" },
    "debug config": mergedConfig([{ spec: "opencode-gaia", source }]),
    "models --verbose": { value: "acme/one\n{}\nacme/two\n{}\n" },
    uncontained: null,
    unfiltered: null,
  };
  const run: RunOpenCode = async (args) => answers[args as "models --verbose"];
  const look = async () =>
    lookAtSetup({
      own: await readOwnPackage(),
      directory: project,
      environment,
      run,
      async tryContainment() {
        const filtered = answers.unfiltered === null ? {} : { unfiltered: answers.unfiltered };
        const ready = { kind: "ready", ...filtered } as const;
        if (answers.uncontained === null) return { commands: ready, host: ready };
        const commands = { kind: "unavailable", why: answers.uncontained } as const;
        return { commands, host: answers.uncontained.includes("shell") ? ready : commands };
      },
    });
  return {
    project,
    answers,
    put,
    remove: async (path: string) => rm(join(root, path), { recursive: true }),
    look,
    examine: async () => examine(await look()),
    async report(verbose = false) {
      const setup = await look();
      const findings = await examine(setup);
      return { findings, text: renderDoctorReport(setup, findings, verbose) };
    },
  };
}
