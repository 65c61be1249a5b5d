import { relative } from "node:path";
import { locate, type Located } from "../changes/locate.ts";
import type { FilePlace } from "../../host/tool.ts";
import { bounded } from "../../lib/bounded.ts";
import { describeError } from "../../lib/error.ts";
import { lazy } from "../../lib/lazy.ts";
import { isRefusal, type Refusal, refuse } from "../../lib/refusal.ts";
import { isWithin } from "../../sandbox/profile.ts";
import { isSensitivePath } from "../../policy/sensitive-path.ts";
import { readConfigured } from "./configured.ts";
import { uriOf } from "./documents.ts";
import { findServer, type FoundServer, realOf, type Surroundings } from "./find-server.ts";
import { checkEdit, type Edited, errorsMade } from "./edit-check.ts";
import type { CodeArguments, CodeCalls, CodeSurroundings, EditedFile } from "./open.ts";
import { lacksPackages } from "./packages.ts";
import { createPool, POOL_BOUNDS, type PoolBounds, type ServerPool, ServerTrouble } from "./pool.ts";
import { linesOf, nameAt } from "./position.ts";
import {
  ANSWER_MS,
  askErrors,
  askPlaces,
  askSymbols,
  nameOf,
  openMentions,
  positionIn,
  type Reader,
  type Spot,
} from "./questions.ts";
import { findLeftBehind } from "./left-behind.ts";
import { readWorkspaceEdit, type Renaming, toChanges } from "./rename.ts";
import type { LanguageServer } from "./server.ts";
import { startFound } from "./starting.ts";

export { createCodeCalls } from "./calls.ts";
export { readConfigured } from "./configured.ts";
export { surveyServers } from "./survey.ts";

/** Files that are looked at because they take something from the one in question. */
const MAX_IMPORTERS = 25;
/** How long a call may take with all that it waits for, in milliseconds. */
const PATIENCE_MS = 120_000;
/** How long an edit's result waits for what the server has to say, in milliseconds. */
const AFTER_EDIT_MS = 10_000;
/** So often in a row a server may let an edit wait for nothing before edits go on without it, until it is in time again. */
const MAX_LATE = 2;
/** What languages call things by, and no more: servers put in whatever they are given. */
const NAME = /^[#@$]?[\p{ID_Start}_$][\p{ID_Continue}$-]*[?!']?$/u;

/** A file in question, and who can be asked about it. */
interface Subject {
  readonly located: Located;
  readonly found: FoundServer;
  readonly reader: Reader;
}

/** Edited files, and who is asked about them. */
interface Group {
  readonly found: FoundServer;
  readonly files: readonly Edited[];
}

/** A question about code that changes nothing. */
export interface CodeQuestion extends Spot {
  readonly op: Exclude<CodeArguments["op"], "rename">;
  readonly file?: string | undefined;
}

/** What language servers say about the project's code. */
export interface CodeServers extends Pick<ServerPool, "running">, Pick<CodeCalls, "brokenIn"> {
  /** @returns the answer for the model, or why there is none */
  answer(question: CodeQuestion, place: FilePlace): Promise<string | Refusal>;
  /** Works a rename out; changes nothing. */
  rename(
    wanted: Spot & { readonly file: string; readonly newName: string },
    place: FilePlace,
  ): Promise<Renaming | Refusal>;
  /** The errors that were not there before these edits, a line each; empty where nobody can tell. Never rejects. */
  newErrors(edited: readonly EditedFile[], place: FilePlace): Promise<string[]>;
  /** Something ran that may have changed what errors there are, in no file that servers are told of. */
  disturbed(): void;
  dispose(): Promise<void>;
}

/** Language servers for one instance, as `openCode` loads them. */
export function createCodeServers(input: CodeSurroundings, bounds: PoolBounds = POOL_BOUNDS): CodeServers {
  const { clock, environment, allowSensitive } = input.limits;
  const { worktree, project: home } = input.host;
  const tops = new WeakMap<FoundServer, string>();
  const pool = createPool(
    async (found) => startFound(found, tops.get(found) ?? worktree, input),
    clock,
    bounds,
  );
  const configured = lazy(async () => readConfigured(await input.settings()));

  let disturbances = 0;
  /** Edits in a row that waited for a server in vain, and servers that are asked for an edit. */
  const late = new Map<string, number>();
  const asked = new Set<string>();

  const readerOf = ({ project }: FilePlace): Reader => ({
    project: realOf(project),
    isSensitive: (path) => isSensitivePath(path, allowSensitive),
  });

  const surroundingsOf = async (place: FilePlace, top: string): Promise<Surroundings> => {
    const project = realOf(place.project);
    const own = realOf(home);

    return {
      project,
      home: own,
      path: environment["PATH"] ?? "",
      configured: await configured(),
      async mayRun(path) {
        if ((await input.contained.of(top)) !== null) return true;
        const inside = [path, realOf(path)].flatMap((each) => {
          const tree = [project, own].find((top) => isWithin(each, top));
          return tree === undefined ? [] : [relative(tree, each)];
        });
        return (await Promise.all(inside.map(input.vcs.isIgnored))).every(Boolean);
      },
    };
  };

  const serverFor = async (path: string, place: FilePlace): Promise<FoundServer | string> => {
    const top = place.standsFor?.to ?? worktree;
    const found = await findServer(path, await surroundingsOf(place, top));
    if (typeof found !== "string") tops.set(found, top);
    return found;
  };

  const subjectOf = async (file: string, place: FilePlace): Promise<Subject | Refusal> => {
    const located = locate(file, place, allowSensitive);
    if (isRefusal(located)) return located;
    const found = await serverFor(located.path, place);
    return typeof found === "string" ? refuse(found) : { located, found, reader: readerOf(place) };
  };

  const guarded = async <T>(work: () => Promise<T | Refusal>): Promise<T | Refusal> => {
    try {
      return await bounded(work(), PATIENCE_MS, clock, "The language server");
    } catch (error) {
      return refuse(
        error instanceof ServerTrouble
          ? error.message
          : `No language server could be asked: ${describeError(error)}`,
      );
    }
  };

  const askAbout = async <T>(
    { located, found }: Subject,
    question: (server: LanguageServer) => Promise<T | Refusal>,
  ): Promise<T | Refusal> =>
    pool.ask(found, async (server) => {
      await server.follow();
      const open = await server.open([located.path]);
      if (open.length === 0)
        return refuse(`${located.name} does not exist, or is no file of a bearable size.`);
      return question(server);
    });

  const projectSymbols = async (query: string | undefined, place: FilePlace): Promise<string | Refusal> => {
    const { project } = readerOf(place);
    const running = pool.running().filter(({ root }) => !relative(project, root).startsWith(".."));
    if (running.length === 0)
      return refuse("Nothing has been asked yet that tells the language.", "Give a file as well.");
    const answers: string[] = [];
    for (const found of running) {
      answers.push(
        await pool.ask(found, async (server) => {
          await server.follow();
          return askSymbols(server, null, query, readerOf(place));
        }),
      );
    }
    return answers.join("\n");
  };

  return {
    running: pool.running,
    answer: async (question, place) => guarded(async () => answerTo(question, place)),
    rename: async ({ file, newName, ...spot }, place) =>
      guarded(async () => {
        if (!NAME.test(newName)) return refuse(`${newName} is no name.`);
        const subject = await subjectOf(file, place);
        if (isRefusal(subject)) return subject;
        return askAbout(subject, async (server) => {
          const { path } = subject.located;
          const at = await positionIn(server, path, spot);
          if (isRefusal(at)) return at;
          const from = nameAt(linesOf(server.documents.text(path) ?? "")[at.line] ?? "", at.character);
          if (from === "") return refuse("No name stands at this place.", "Give the symbol as query.");
          await openMentions(server, path, at);
          const params = { textDocument: { uri: uriOf(path) }, position: at, newName };
          const files = readWorkspaceEdit(await server.request("textDocument/rename", params, ANSWER_MS));
          if (typeof files === "string") return refuse(`It cannot be renamed: ${files}.`);
          const inPlace = (each: string): Located | Refusal =>
            locate(each, { ...place, standsFor: null }, allowSensitive);
          const changes = await toChanges(files, inPlace, server.documents.text, from);
          if (isRefusal(changes)) return changes;
          if (changes.length === 0) return refuse(`The server renames nothing at this place (${from}).`);
          const paths = changes.map((change) => change.path);
          const left = await findLeftBehind(subject.found, from, paths);
          return { changes, from, left: left.map((each) => nameOf(each, subject.reader)) };
        });
      }),
    async newErrors(edited, place) {
      const groups = bounded(groupsOf(edited, place), AFTER_EDIT_MS, clock, "Looking for servers");
      const told = [...(await groups.catch(() => new Map<string, Group>()))].map(async ([key, group]) =>
        inTime(key, async () => askGroup(group, place, checkEdit)),
      );
      return (await Promise.all(told)).flat();
    },
    disturbed() {
      disturbances += 1;
    },
    async brokenIn(edited, place) {
      const check = async (): Promise<string[]> => {
        const lines: string[] = [];
        for (const group of (await groupsOf(edited, place)).values())
          lines.push(...(await askGroup(group, place, errorsMade)));
        return lines;
      };
      try {
        return await bounded(check(), PATIENCE_MS, clock, "The language server");
      } catch {
        return null;
      } finally {
        await pool.leave(realOf(place.standsFor?.to ?? place.project));
      }
    },
    dispose: pool.dispose,
  };

  /** What a server says in time; nothing of one that does not. */
  async function inTime(key: string, ask: () => Promise<string[]>): Promise<string[]> {
    const begun = clock.now();
    const isAwaited = (late.get(key) ?? 0) < MAX_LATE;
    if (!isAwaited && asked.has(key)) return [];
    asked.add(key);
    // One that is still coming up goes on, for the next edit.
    const answer = ask()
      .then((lines) => {
        if (clock.now() - begun < AFTER_EDIT_MS) late.delete(key);
        return lines;
      })
      .catch((): string[] => []) // What is wrong with it is told to whom asks it something.
      .finally(() => asked.delete(key));
    if (!isAwaited) return [];
    return bounded(answer, AFTER_EDIT_MS, clock, "The language server").catch(() => {
      late.set(key, (late.get(key) ?? 0) + 1);
      return [];
    });
  }

  /** Edited files by the server that knows them. */
  async function groupsOf(
    edited: readonly EditedFile[],
    place: FilePlace,
  ): Promise<ReadonlyMap<string, Group>> {
    const groups = new Map<string, { readonly found: FoundServer; readonly files: Edited[] }>();
    for (const { path: named, before } of edited) {
      const located = locate(named, place, allowSensitive);
      const found = isRefusal(located) ? "" : await serverFor(located.path, place);
      if (isRefusal(located) || typeof found === "string") continue;
      const group = groups.get(`${found.entry.language}\0${found.root}`) ?? { found, files: [] };
      group.files.push({ path: located.path, before });
      groups.set(`${found.entry.language}\0${found.root}`, group);
    }
    return groups;
  }

  async function askGroup(
    { found, files }: Group,
    place: FilePlace,
    check: typeof checkEdit,
  ): Promise<string[]> {
    const isBare = await lacksPackages(found, realOf(place.project), realOf(home));
    const reader = { ...readerOf(place), isBare };
    return pool.ask(found, async (server) => check(server, files, reader, disturbances));
  }

  async function answerTo({ op, file, ...spot }: CodeQuestion, place: FilePlace): Promise<string | Refusal> {
    if (file === undefined)
      return op === "symbols" ? projectSymbols(spot.name, place) : refuse(`${op} needs a file.`);
    const subject = await subjectOf(file, place);
    if (isRefusal(subject)) return subject;
    const { located, reader } = subject;
    return askAbout<string>(subject, async (server) => {
      if (op === "symbols") return askSymbols(server, located.path, spot.name, reader);
      if (op !== "diagnostics") return askPlaces(server, op, located.path, spot, reader);
      const importers = await server.files.importersOf([located.path], MAX_IMPORTERS);
      return askErrors(server, located.path, reader, importers);
    });
  }
}
