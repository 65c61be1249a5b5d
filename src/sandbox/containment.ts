import { constants, existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { delimiter, isAbsolute, join } from "node:path";
import { describeError } from "../lib/error.ts";
import { realOf, ownDataFolder } from "../lib/folders.ts";
import { lazy } from "../lib/async.ts";
import { shellWord } from "../lib/quoting.ts";
import { runProgram } from "../process/bounded-process.ts";
import type { View } from "../commit/commit.ts";
import { bubblewrapArguments } from "./bubblewrap.ts";
import { environmentChange } from "./environment.ts";
import { hasLostPlace } from "./explain-failure.ts";
import { mayAccess } from "./hidden-places.ts";
import { findPlaces, type Span } from "./places.ts";
import { openPrivateFolder, type PrivateFolder } from "./private-folder.ts";
import type { ContainmentInput, ContainmentState } from "./port.ts";
import { type ContainmentProfile, type EnvironmentChange, isWithin, type WrapperCommand } from "./profile.ts";
import { hasChanged, type StandingPlace, standingPlaces } from "./project-places.ts";
import { seatbeltProfile } from "./seatbelt.ts";
import { contained, startingShell, startupScript } from "./startup.ts";
import { systemCallFilter } from "./system-calls.ts";

/** How long a command that nobody waits for here may go on to make things, in milliseconds. */
const COMMAND_LIFETIME_MS = 10 * 60_000;
/** How long the first contained call may take. */
const PROBE_MS = 5_000;
/** bash looks for another file where it takes itself for a login over the network: one further in is none. */
const INNER_LEVEL = "2";

/** What bubblewrap says where it, or the kernel, knows no filters. */
const NO_FILTER = /seccomp/iu;

const NOTHING_ELSE: View = { mounts: [], env: {}, withoutMounts: {} };
const READING: ContainmentProfile = { project: "read", network: false, caches: false };

interface Tools {
  readonly wrapper: Wrapper;
  readonly folder: PrivateFolder;
  readonly isFiltered: boolean;
}

interface OpenCall {
  readonly profile: ContainmentProfile;
  readonly proof: string;
  readonly files: readonly string[];
  readonly standing: readonly StandingPlace[];
  readonly span: Span;
}

export type Containment = ReturnType<typeof createContainment>;

/** Contains the commands of one project with the wrapper of this machine (SPEC 9); starts nothing before it is asked. */
export function createContainment(input: ContainmentInput) {
  const { environment, clock, platform = process.platform, architecture = process.arch } = input;
  const home = input.home ?? (environment["HOME"] || homedir());
  const project = realOf(input.project);
  const open = new Map<string, OpenCall>();
  /** A command's shell did not take part: from then on none is trusted to. */
  let untaken: ContainmentState | null = null;
  let closed: ContainmentState | null = null;
  let tools: Tools | null = null;
  let count = 0;

  const finder = findPlaces({ ...input, home, project });
  const failed = (error: unknown): ContainmentState => unavailable(describeError(error));
  const probeHost = lazy(async () => probe().catch(failed));
  const probeShell = lazy(async () => tryShell().catch(failed));

  const prepare = async (
    profile: ContainmentProfile,
    folder: string,
    inside: EnvironmentChange,
    tempName: "temp" | "hostTemp",
    view: View = NOTHING_ELSE,
  ) => {
    if (tools === null) throw new Error("nothing contains commands here");
    const { wrapper, folder: privateFolder, isFiltered } = tools;
    privateFolder.restore();
    const given = { ...privateFolder, temp: privateFolder[tempName] };
    const places = { ...(await finder.placesFor(folder, given)), mounts: view.mounts };
    const temp = wrapper.kind === "bubblewrap" ? "/tmp" : given.temp;
    const change = environmentChange(environment, profile, temp, places.caches);
    const both = { set: { ...change.set, ...inside.set }, unset: [...change.unset, ...inside.unset] };
    const profileFile = join(privateFolder.calls, `${(count += 1)}.sb`);
    if (wrapper.kind === "seatbelt") writeFileSync(profileFile, seatbeltProfile(profile, places));
    const wrapped: WrapperCommand =
      wrapper.kind === "bubblewrap"
        ? [wrapper.path, ...bubblewrapArguments(profile, places, both, isFiltered)]
        : [wrapper.path, "-f", profileFile, ...inEnvironment(both)];
    const filter = isFiltered ? privateFolder.filter : null;
    return { wrapped, profileFile, privateFolder, unset: both.unset, places, filter };
  };

  /**
   * Prepares a call: the variables with which the shell of the host hands its command over.
   * @throws when the call must not run, because it would not be contained
   */
  const wrap = async ({
    callId,
    folder,
    profile,
  }: Pick<OpenCall, "profile"> & {
    readonly callId: string;
    readonly folder: string;
  }): Promise<Readonly<Record<string, string>>> => {
    const path = input.shell();
    const shell = startingShell(path);
    if (shell === null) throw new Error(`the shell ${path} does not take part: bash and zsh do`);
    const variable = shell === "bash" ? "BASH_ENV" : "ZDOTDIR";
    const own = environment[variable];
    const inside =
      own === undefined ? { set: {}, unset: [variable] } : { set: { [variable]: own }, unset: [] };
    const prepared = await prepare(profile, folder, inside, "temp");
    const { wrapped, profileFile, privateFolder, unset, filter, places } = prepared;
    const base = join(privateFolder.calls, String((count += 1)));
    const proof = `${base}.proof`;
    const file = shell === "bash" ? `${base}.bash` : join(base, ".zshenv");
    const script = startupScript(shell, wrapped, path, proof, unset, filter);
    if (shell === "zsh") mkdirSync(base, { mode: 0o700 });
    writeFileSync(file, script, { mode: 0o600 });
    const files = [shell === "bash" ? file : base, proof, profileFile];
    // Below what the command cannot write, whatever appears is of someone else's making.
    const isOpen = (path: string): boolean => !places.readOnly.some((folder) => isWithin(path, folder));
    const standing = standingPlaces(
      profile.project === "write" ? places.guarded.filter(isOpen) : [],
      project,
    );
    const span = finder.writing(profile, Number.POSITIVE_INFINITY);
    open.set(callId, { profile, proof, files, standing, span });
    return shell === "bash" ? { BASH_ENV: file, SHLVL: INNER_LEVEL } : { ZDOTDIR: base };
  };

  /** A call is over; null for one that was not wrapped. */
  const finish = (callId: string) => {
    const call = open.get(callId);
    if (call === undefined) return null;
    open.delete(callId);
    const isProven = existsSync(call.proof);
    for (const file of call.files) rmSync(file, { recursive: true, force: true });
    if (!isProven) untaken = unavailable(`a command's shell (${input.shell()}) did not take part`);
    call.span.to = clock.now();
    const appeared = call.standing.filter(hasChanged).map(({ path }) => path);
    return {
      profile: call.profile,
      /** Whether its shell took part; one that did not has run the command as it was. */
      isProven,
      /** Files that only the user makes, and that the call had made. */
      setAside: appeared.flatMap(setAside),
    };
  };

  /** A harmless command that would leave a file behind where nothing contains it. */
  const tryOut = async (
    start: (command: string) => Promise<readonly [string, ...string[]]>,
    variables: Readonly<Record<string, string>> = {},
  ): Promise<ContainmentState> => {
    if (tools === null) return unavailable("nothing contains commands here");
    const leak = join(tools.folder.calls, "leak");
    const program = await start(`(: >${shellWord(leak)}) 2>/dev/null; exit 0`);
    const problem = await runProbe(program, { ...environment, ...variables }, project);
    if (problem !== null) return unavailable(problem);
    if (!existsSync(leak)) return { kind: "ready" };
    return unavailable(`${tools.wrapper.path} does not contain anything`);
  };
  const tryHost = async (): Promise<ContainmentState> =>
    again(async () => tryOut(async (command) => hostCommand(READING, project, command)));
  const tryShell = async (): Promise<ContainmentState> =>
    again(async () => {
      const variables = await wrap({ callId: "probe", folder: project, profile: READING });
      const path = input.shell();
      const found = await tryOut(async (command) => [path, "-c", command], variables);
      const hasTakenPart = finish("probe")?.isProven === true;
      if (found.kind !== "ready" || hasTakenPart) return found;
      return unavailable(`the shell ${path} did not take part`);
    });

  const probe = async (): Promise<ContainmentState> => {
    const wrapper = findWrapper(platform, environment, project, input.wrapperFolders);
    if (typeof wrapper === "string") return unavailable(wrapper);
    const filter = systemCallFilter(architecture);
    const isFiltered = wrapper.kind === "bubblewrap" && filter !== null;
    const folder = openPrivateFolder(ownDataFolder(environment, home), filter ?? new Uint8Array());
    tools = { wrapper, folder, isFiltered };
    const found = await tryHost();
    if (wrapper.kind !== "bubblewrap") return found;
    if (!isFiltered) return withoutFilter(found, `none is known for ${architecture}`);
    if (found.kind !== "unavailable" || !NO_FILTER.test(found.why)) return found;
    tools = { ...tools, isFiltered: false };
    return withoutFilter(await tryHost(), found.why);
  };

  /** As `ready`, for what the plugin runs itself, which needs no shell of the user's. */
  const hostReady = async (): Promise<ContainmentState> => {
    const found = closed ?? (await probeHost());
    if (found.kind !== "ready" || tools === null || isProgram(tools.wrapper.path)) return closed ?? found;
    return unavailable(`${tools.wrapper.path} is gone`);
  };
  /** A command as a program and its arguments, contained, for what the plugin runs itself. @throws as `wrap` */
  const hostCommand = async (
    profile: ContainmentProfile,
    folder: string,
    command: string,
    view: View = NOTHING_ELSE,
  ): Promise<[string, ...string[]]> => {
    const isMounted = tools?.wrapper.kind === "bubblewrap";
    const set = isMounted ? view.env : { ...view.env, ...view.withoutMounts };
    const { wrapped, unset, filter } = await prepare(profile, folder, { set, unset: [] }, "hostTemp", view);
    finder.writing(profile, clock.now() + COMMAND_LIFETIME_MS);
    return [...inEnvironment({ set: {}, unset }), ...contained(wrapped, command, filter)];
  };

  return {
    hostReady,
    /** Whether commands in the user's shell can be contained: tried out once, in that very shell. Never rejects. */
    async ready(): Promise<ContainmentState> {
      const host = await hostReady();
      if (host.kind !== "ready") return host;
      const shell = await probeShell();
      return closed ?? untaken ?? (shell.kind === "ready" ? host : shell);
    },
    wrap,
    finish,
    command: hostCommand,
    dispose() {
      tools?.folder.dispose();
      tools = null;
      closed = unavailable("OpenCode closed the project");
    },
  };
}

function unavailable(why: string): ContainmentState {
  return { kind: "unavailable", why };
}

function inEnvironment({ set, unset }: EnvironmentChange): [string, ...string[]] {
  const names = unset.flatMap((name) => ["-u", name]);
  return ["/usr/bin/env", ...names, ...Object.entries(set).map(([name, value]) => `${name}=${value}`)];
}

/** Tries once more where something went away while it was tried. */
async function again(attempt: () => Promise<ContainmentState>): Promise<ContainmentState> {
  const found = await attempt();
  return found.kind === "unavailable" && hasLostPlace(found.why) ? attempt() : found;
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

/** Runs a harmless program as a contained one is run. @returns the last line of what it said as it failed; null where it did not */
async function runProbe(
  command: readonly [string, ...string[]],
  env: NodeJS.ProcessEnv,
  folder: string,
): Promise<string | null> {
  const limits = { timeoutMs: PROBE_MS, startsProjects: true };
  const { ok, code, words } = await runProgram({ command, env }, folder, limits);
  return ok ? null : words.split("\n").at(-1) || `ended with ${code}`;
}

/** The program that contains commands on this machine. */
interface Wrapper {
  readonly kind: "bubblewrap" | "seatbelt";
  readonly path: string;
}

/** Folders of the system's own programs: a project may stand in PATH, and bring a program of that name. */
const SYSTEM = ["/usr/bin", "/bin", "/usr/local/bin", "/run/wrappers/bin", "/run/current-system/sw/bin"];
const SEATBELT = "/usr/bin/sandbox-exec";

/** Finds the wrapper; a text says why there is none. */
export function findWrapper(
  platform: NodeJS.Platform,
  environment: Readonly<Record<string, string | undefined>>,
  project: string,
  system: readonly string[] = SYSTEM,
): Wrapper | string {
  if (platform === "darwin") {
    return isProgram(SEATBELT) ? { kind: "seatbelt", path: SEATBELT } : `there is no ${SEATBELT}`;
  }
  if (platform !== "linux") return `nothing contains commands on ${platform}`;
  const listed = (environment["PATH"] ?? "").split(delimiter);
  const folders = [...system, ...listed.filter((path) => isAbsolute(path) && !isWithin(path, project))];
  const path = folders.map((folder) => join(folder, "bwrap")).find(isProgram);
  return path === undefined ? "bubblewrap (bwrap) is not installed" : { kind: "bubblewrap", path };
}

/** Whether there is a program at a path that we may run. */
const isProgram = (path: string): boolean => mayAccess(path, constants.X_OK);
