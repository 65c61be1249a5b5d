import { mkdir, mkdtemp, readFile, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { onTestFinished, vi } from "vitest";
import type { Conversation } from "../../src/conversation/conversation.ts";
import type { JsonRecord } from "../../src/lib/json.ts";
import { compose, ROOT, type Composition, planCalls, type PlanCalls } from "../support/composition.ts";
import { git, writeIn } from "../support/directory.ts";
import { createRuntime } from "../support/runtime.ts";
import { APPROVED, handOver, isReviewer, turnTo } from "./contracts.ts";

export const FILE = "the folder/shared.txt";
export const LINES = Array.from({ length: 14 }, (_, line) => `line ${line};`);
/** What the shared file holds, with these lines in place of its own. */
export const text = (change: Record<number, string> = {}): string =>
  `${LINES.map((line, at) => change[at] ?? line).join("\n")}\n`;

/** A plan of one wave whose tasks are called by these names. */
export function planOf(
  names: readonly string[],
  verify = (name: string) => `grep -q ${name} '${FILE}'`,
  more: readonly string[] | ((name: string) => readonly string[]) = [],
): string {
  const linesOf = typeof more === "function" ? more : () => more;
  const tasks = names.map((name, at) => {
    const own = linesOf(name);
    const files = own.some((line) => line.startsWith("files: ")) ? [] : [`files: ${name}.txt`];
    const lines = ["agent: hephaestus", "wave: 1", ...files, `verify: ${verify(name)}`, ...own];
    return `- [ ] ${at + 1}. Change ${name}\n${lines.map((line) => `  - ${line}\n`).join("")}`;
  });
  return `## Goal\n\nOne file.\n\n## Tasks\n\n${tasks.join("")}`;
}

/** One prompt of a specialist, with the folder in which its calls are made. */
export interface Given {
  readonly name: string;
  readonly prompt: string;
  readonly session: string;
  readonly folder: string;
  /** How often this task was given, from 1. */
  readonly turn: number;
  edit(path: string, from: string | RegExp, to: string): Promise<void>;
}
export type Work = (given: Given, scene: LanesScene) => Promise<JsonRecord | void> | JsonRecord | void;

export interface LanesScene {
  readonly composition: Composition;
  gaia: PlanCalls;
  /** The top of the user's repository. */
  readonly top: string;
  /** Where the store lies. */
  readonly data: string;
  readonly given: Given[];
  work: Work;
  read(path?: string): Promise<string>;
  conversation(): Promise<Conversation>;
  /** OpenCode was ended and is there again. */
  restart(): Promise<void>;
}

/** What a scene begins with. */
export interface LanesOptions {
  readonly config?: object;
  readonly names?: readonly string[];
  readonly verify?: (name: string) => string;
  /** More of what each task says of itself, below its verify. */
  readonly lines?: readonly string[] | ((name: string) => readonly string[]);
  readonly mode?: "supervised" | "autopilot";
  /** Where in the repository the project lies. */
  readonly below?: string;
  readonly files?: Readonly<Record<string, string>>;
}

/** A plan whose tasks work in worktrees of a real repository, over a host in memory; a worker acts on its folder. */
export async function openLanes(work: Work, options: LanesOptions = {}): Promise<LanesScene> {
  const { config = {}, names = ["top", "end"], verify, mode = "autopilot", below = "", files = {} } = options;
  const { lines } = options;
  const data = await realpath(await mkdtemp(join(tmpdir(), "gaia lanes data-")));
  onTestFinished(async () => rm(data, { recursive: true, force: true, maxRetries: 3 }));
  let top = "";
  const composition = await compose({}, async (directory) => {
    vi.stubEnv("XDG_DATA_HOME", data);
    top = await realpath(directory);
    const project = join(top, below);
    await mkdir(project, { recursive: true });
    await git(top, "init", "-q", "-b", "main");
    await writeIn(top, ".git/info/exclude", "/opencode-gaia/\n/opencode/\n.gaia/\n");
    await writeIn(top, "opencode/gaia.jsonc", JSON.stringify({ lanes: "auto", ...config }));
    for (const [path, content] of Object.entries({ [FILE]: text(), ...files }))
      await writeIn(project, path, content);
    await git(top, "add", "-A");
    await git(top, "commit", "-q", "-m", "Start");
    return { directory: project, project, worktree: top };
  });
  // What nobody approved runs in the sandbox alone, in which sh does not take part.
  composition.host.shell = () => "/bin/bash";
  const counts = new Map<string, number>();
  const scene: LanesScene = {
    composition,
    gaia: planCalls(composition),
    top,
    data,
    given: [],
    work,
    read: async (path = FILE) => readFile(join(top, below, path), "utf8"),
    async conversation() {
      const found = await composition.runtime.conversations.of(ROOT);
      if (found === null) throw new Error("no conversation");
      return found.conversation;
    },
    async restart() {
      await (await scene.conversation()).mirrored();
      const { runtime } = await createRuntime(composition.host, {});
      Object.assign(composition, { runtime });
      runtime.sessions.spoke(ROOT, "gaia", "a/one");
      scene.gaia = planCalls(composition);
    },
  };
  composition.host.script(async ({ sessionId, text: prompt, speaker: { agent } }) => {
    const name = /TASK: Change (\w+)/.exec(prompt)?.[1];
    let answer: JsonRecord | void = undefined;
    if ((agent === "hephaestus" || agent === "artemis") && name !== undefined) {
      const count = (counts.get(name) ?? 0) + 1;
      counts.set(name, count);
      const place = (await scene.conversation()).parts.worktrees.of(sessionId)?.place.project;
      const folder = place ?? join(top, below);
      const edit: Given["edit"] = async (path, from, to) => {
        const before = await readFile(join(folder, path), "utf8");
        const after = before.replace(from, to);
        if (after === before) throw new Error(`${path} holds no ${String(from)}: ${before}`);
        await mkdir(dirname(join(folder, path)), { recursive: true });
        await writeFile(join(folder, path), after);
      };
      const one = { name, prompt, session: sessionId, folder, turn: count, edit };
      scene.given.push(one);
      answer = await scene.work(one, scene);
    }
    return handOver(agent, answer ?? (isReviewer(agent) || agent === "artemis" ? APPROVED : {}));
  });
  turnTo(await scene.conversation(), mode);
  await scene.gaia.plan("create_work_unit", { slug: "unit", title: "Unit" });
  const planned = await scene.gaia.plan("update_plan", {
    content: { markdown: planOf(names, verify, lines) },
  });
  if (planned["ok"] !== true) throw new Error(JSON.stringify(planned));
  if (mode === "supervised") await scene.gaia.plan("request_approval", { kind: "plan" });
  return scene;
}
