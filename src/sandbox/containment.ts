import { existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describeError } from "../lib/error.ts";
import { ownDataFolder } from "../lib/user-folders.ts";
import { environmentChange } from "./environment.ts";
import { hasLostPlace } from "./explain-failure.ts";
import { findPlaces, realOf, type Span } from "./places.ts";
import { openPrivateFolder, type PrivateFolder } from "./private-folder.ts";
import type { Containment, ContainmentInput, ContainmentState } from "./port.ts";
import {
  type ContainmentProfile,
  type EnvironmentChange,
  isWithin,
  type Places,
  type WrapperCommand,
} from "./profile.ts";
import { hasChanged, type Standing, standingOf } from "./project-places.ts";
import { runProbe } from "./run-probe.ts";
import { seatbeltProfile } from "./seatbelt.ts";
import { contained, startingShell, startupScript } from "./startup.ts";
import { systemCallFilter } from "./system-calls.ts";
import { findWrapper, isProgram, type Wrapper, wrapperArguments } from "./wrapper.ts";

/** How long a command that nobody waits for here may go on to make things, in milliseconds. */
const COMMAND_LIFETIME_MS = 10 * 60_000;
/** bash looks for another file where it takes itself for a login over the network: one further in is none. */
const INNER_LEVEL = "2";

/** What bubblewrap says where it, or the kernel, knows no filters. */
const NO_FILTER = /seccomp/iu;

/** What contains the commands of a project. */
interface Tools {
  readonly wrapper: Wrapper;
  readonly folder: PrivateFolder;
  readonly isFiltered: boolean;
}

/** A call between its start and its end. */
interface OpenCall {
  readonly profile: ContainmentProfile;
  readonly proof: string;
  readonly files: readonly string[];
  readonly standing: readonly Standing[];
  readonly places: Places;
  /** When it began and ended. */
  readonly span: Span;
}

/** Contains commands with the wrapper of this machine; starts nothing before it is asked. */
export function createContainment(input: ContainmentInput): Containment {
  const { environment, home, clock } = input;
  const project = realOf(input.project);
  const open = new Map<string, OpenCall>();
  let state: ContainmentState = { kind: "unproven" };
  let probing: Promise<ContainmentState> | null = null;
  let tools: Tools | null = null;
  let count = 0;

  const finder = findPlaces({ ...input, project });

  const prepare = async (
    profile: ContainmentProfile,
    folder: string,
    inside: EnvironmentChange,
  ): Promise<{
    wrapped: WrapperCommand;
    profileFile: string;
    privateFolder: PrivateFolder;
    unset: readonly string[];
    places: Places;
    filter: string | null;
  }> => {
    if (tools === null) throw new Error("nothing contains commands here");
    const { wrapper, folder: privateFolder, isFiltered } = tools;
    privateFolder.restore();
    if (!privateFolder.isFilterOurs()) throw new Error("the filter of system calls was changed");
    const places = await finder.placesFor(folder, privateFolder);
    const temp = wrapper.kind === "bubblewrap" ? "/tmp" : privateFolder.temp;
    const change = environmentChange(environment, profile, temp, places.caches);
    const both = { set: { ...change.set, ...inside.set }, unset: [...change.unset, ...inside.unset] };
    const profileFile = join(privateFolder.calls, `${(count += 1)}.sb`);
    if (wrapper.kind === "seatbelt") {
      writeFileSync(profileFile, seatbeltProfile(profile, places));
    }
    return {
      wrapped: wrapperArguments(wrapper, profile, places, both, profileFile, isFiltered),
      profileFile,
      privateFolder,
      unset: both.unset,
      places,
      filter: isFiltered ? privateFolder.filter : null,
    };
  };

  const wrap: Containment["wrap"] = async ({ callId, folder, profile }) => {
    const path = input.shell();
    const shell = startingShell(path);
    if (shell === null) throw new Error(`the shell ${path} does not take part`);
    const variable = shell === "bash" ? "BASH_ENV" : "ZDOTDIR";
    const own = environment[variable];
    const inside =
      own === undefined ? { set: {}, unset: [variable] } : { set: { [variable]: own }, unset: [] };
    const prepared = await prepare(profile, folder, inside);
    const { wrapped, profileFile, privateFolder, unset, filter, places } = prepared;
    const base = join(privateFolder.calls, String((count += 1)));
    const proof = `${base}.proof`;
    const file = shell === "bash" ? `${base}.bash` : join(base, ".zshenv");
    const filtered = filter === null ? null : { path: filter, startup: file };
    const script = startupScript(shell, wrapped, path, proof, unset, filtered);
    if (shell === "zsh") mkdirSync(base, { mode: 0o700 });
    writeFileSync(file, script, { mode: 0o600 });
    const files = [shell === "bash" ? file : base, proof, profileFile];
    // Below what the command cannot write, whatever appears is of someone else's making.
    const isOpen = (path: string): boolean => !places.readOnly.some((folder) => isWithin(path, folder));
    const standing = standingOf(profile.project === "write" ? places.guarded.filter(isOpen) : [], project);
    const span = finder.writing(profile, Number.POSITIVE_INFINITY);
    open.set(callId, { profile, proof, files, standing, places, span });
    return shell === "bash" ? { BASH_ENV: file, SHLVL: INNER_LEVEL } : { ZDOTDIR: base };
  };

  const finish: Containment["finish"] = (callId) => {
    const call = open.get(callId);
    if (call === undefined) return null;
    open.delete(callId);
    const isProven = existsSync(call.proof);
    for (const file of call.files) rmSync(file, { recursive: true, force: true });
    if (!isProven)
      state = { kind: "unavailable", why: `a command's shell (${input.shell()}) did not take part` };
    call.span.to = clock.now();
    const appeared = call.standing.filter(hasChanged).map(({ path }) => path);
    return {
      profile: call.profile,
      places: call.places,
      isProven,
      setAside: appeared.flatMap(setAside),
    };
  };

  const probe = async (): Promise<ContainmentState> => {
    const wrapper = findWrapper(input.platform, environment, project, input.wrapperFolders);
    if (typeof wrapper === "string") return { kind: "unavailable", why: wrapper };
    const path = input.shell();
    if (startingShell(path) === null) {
      return { kind: "unavailable", why: `the shell ${path} does not take part: bash and zsh do` };
    }
    const filter = systemCallFilter(input.architecture);
    const isFiltered = wrapper.kind === "bubblewrap" && filter !== null;
    const folder = openPrivateFolder(ownDataFolder(environment, home), filter ?? new Uint8Array());
    tools = { wrapper, folder, isFiltered };
    let found = await tryOut(tools);
    if (found.kind === "unavailable" && hasLostPlace(found.why)) found = await tryOut(tools);
    if (wrapper.kind !== "bubblewrap") return found;
    if (!isFiltered) return withoutFilter(found, `none is known for ${input.architecture}`);
    if (found.kind !== "unavailable" || !NO_FILTER.test(found.why)) return found;
    tools = { ...tools, isFiltered: false };
    return withoutFilter(await tryOut(tools), found.why);
  };

  const tryOut = async ({ wrapper, folder }: Tools): Promise<ContainmentState> => {
    const path = input.shell();
    const leak = join(folder.calls, "leak");
    const profile = { project: "read", network: false, caches: false } as const;
    const variables = await wrap({ callId: "probe", folder: project, profile });
    const command = `: 2>/dev/null >'${leak.replaceAll("'", String.raw`'\''`)}'; exit 0`;
    const problem = await runProbe(path, command, { ...environment, ...variables }, project);
    const finished = finish("probe");
    if (problem !== null) return { kind: "unavailable", why: problem };
    if (finished?.isProven !== true)
      return { kind: "unavailable", why: `the shell ${path} did not take part` };
    if (existsSync(leak)) return { kind: "unavailable", why: `${wrapper.path} does not contain anything` };
    return { kind: "ready" };
  };

  return {
    state: () => state,
    async ready() {
      if (state.kind === "unproven") {
        probing ??= probe().catch((error: unknown) => ({ kind: "unavailable", why: describeError(error) }));
        const found = await probing;
        if (state.kind === "unproven") state = found;
      }
      if (state.kind === "ready" && tools !== null && !isProgram(tools.wrapper.path)) {
        state = { kind: "unavailable", why: `${tools.wrapper.path} is gone` };
      }
      return state;
    },
    wrap,
    finish,
    async command(profile, folder, command) {
      const { wrapped, unset, filter } = await prepare(profile, folder, { set: {}, unset: [] });
      finder.writing(profile, clock.now() + COMMAND_LIFETIME_MS);
      const without = unset.flatMap((name) => ["-u", name]);
      return ["/usr/bin/env", ...without, ...contained(wrapped, command, filter)];
    },
    dispose() {
      tools?.folder.dispose();
      tools = null;
      state = { kind: "unavailable", why: "OpenCode closed the project" };
    },
  };
}

function withoutFilter(state: ContainmentState, unfiltered: string): ContainmentState {
  return state.kind === "ready" ? { ...state, unfiltered } : state;
}

/** Takes what only the user makes out of its place, without losing it. */
function setAside(path: string): { path: string; to: string }[] {
  const to = `${path}.set-aside-${Date.now()}`;
  try {
    renameSync(path, to);
    return [{ path, to }];
  } catch {
    return []; // It was a link that is gone.
  }
}
