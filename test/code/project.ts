import { mkdtemp, readdir, readlink, realpath, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { delimiter, join, resolve } from "node:path";
import { type CodeArguments, createCodeCalls } from "../../src/extras/language-servers/calls.ts";
import { createEditErrors, type EditedFile } from "../../src/extras/language-servers/edit-errors.ts";
import { createServers } from "../../src/extras/language-servers/servers.ts";
import type { SandboxConfig } from "../../src/config/sandbox.ts";
import type { FileToolOutput, PreparedCall } from "../../src/host/tool.ts";
import { type Clock, systemClock } from "../../src/lib/async.ts";
import { isRefusal, type Refusal } from "../../src/lib/error.ts";
import { containPrograms } from "../../src/sandbox/load.ts";
import { fileCall } from "../editing/scene.ts";
import { writeIn } from "../support/directory.ts";

/** Where npm has put the servers that this package is developed with. */
const OWN_PROGRAMS = resolve("node_modules/.bin");

/** A project with files, in which questions about code are asked. */
export type CodeProject = Awaited<ReturnType<typeof createCodeProject>>;

/** What is different from a plain start of servers. */
export interface CodeSettings {
  readonly clock?: Clock;
  readonly sandbox?: SandboxConfig;
  readonly isIgnored?: (path: string) => Promise<boolean>;
}

export async function createCodeProject(files: Readonly<Record<string, string>>, given: CodeSettings = {}) {
  const directory = await realpath(await mkdtemp(join(tmpdir(), "gaia-code-")));
  const write = async (name: string, text: string) => writeIn(directory, name, text);
  for (const [name, text] of Object.entries(files)) await write(name, text);
  const environment = {
    ...process.env,
    HOME: join(directory, ".home"),
    XDG_CONFIG_HOME: join(directory, ".home/.config"),
    PATH: [OWN_PROGRAMS, process.env["PATH"]].join(delimiter),
  };
  const {
    clock = systemClock,
    isIgnored = async (path) => path.startsWith("node_modules/"),
    sandbox,
  } = given;
  const limits = { environment, clock, shell: () => "/bin/bash", writable: [], allowSensitive: [] };
  const contained = containPrograms(
    sandbox ?? { mode: "off", network: false, writable: [] },
    limits,
    () => undefined,
  );
  return {
    directory,
    place: {
      directory,
      project: directory,
      below: "",
      standsFor: null,
      sessionId: "s",
      agent: "hephaestus",
    },
    input: {
      host: { worktree: directory, project: directory },
      vcs: { isIgnored },
      contained,
      since: Date.now() + 60_000,
      limits,
    },
    write,
    async remove() {
      contained.dispose();
      await rm(directory, { recursive: true, force: true });
    },
  };
}

/** Language servers of a project as calls of specialists use them. */
export function openServers({ input, place: home }: CodeProject) {
  const servers = createServers(input);
  const errors = createEditErrors(servers, input.limits.clock);
  const calls = createCodeCalls(input, servers, errors);
  return {
    running: servers.running,
    dispose: servers.dispose,
    newErrors: async (edited: readonly EditedFile[], place = home) => errors.newErrors(edited, place),
    prepare: async (call: CodeArguments) => calls.prepare(call, home),
    /** What the model reads. */
    async ask(call: CodeArguments): Promise<string> {
      const prepared = await calls.prepare(call, home);
      return isRefusal(prepared) ? `refused: ${wordsOf(prepared)}` : (await run(prepared)).text;
    },
  };
}

const wordsOf = ({ reason, hint }: Refusal): string => `${reason} ${hint}`.trim();

/** Makes a prepared call. @param meanwhile what happens while the person is asked */
export async function run(
  prepared: PreparedCall,
  meanwhile: () => Promise<unknown> = async () => undefined,
): Promise<FileToolOutput> {
  const call = fileCall({ askToEdit: async () => void (await meanwhile()) });
  return prepared.run(call);
}

/** Processes that run in a folder; none where the system does not tell. */
export async function processesIn(directory: string): Promise<number[]> {
  const names = await readdir("/proc").catch((): string[] => []);
  const pids = names.filter((name) => /^\d+$/.test(name)).map(Number);
  const folders = await Promise.all(pids.map(async (pid) => readlink(`/proc/${pid}/cwd`).catch(() => "")));
  return pids.filter((_, at) => folders[at] === directory);
}
