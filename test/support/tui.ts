import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readFile, realpath, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { StringDecoder } from "node:string_decoder";
import { promisify } from "node:util";
import { setTimeout as pause } from "node:timers/promises";
import { hermeticEnvironment, openCodeBinary } from "../../src/cli/demo/environment.ts";
import { createDirectory, type DirectoryOptions } from "./directory.ts";
import { furnishHome, homeOf } from "./opencode.ts";
import { createScreen } from "./screen.ts";
import { startScriptedModel } from "./project.ts";
import { trustProject } from "./trust.ts";

/** How long the screen may take to show something, in milliseconds. */
const PATIENCE_MS = 50_000;
const SIZE: TerminalSize = { columns: 160, rows: 48 };
/** OpenCode's sidebar begins here. */
const SIDEBAR = 119;
const KEYS = {
  Enter: "\r",
  Tab: "\t",
  Escape: "\u001B",
  Space: " ",
  Backspace: "\u007F",
  Left: "\u001B[D",
  "C-c": "\u0003",
  "C-p": "\u0010",
  "C-x": "\u0018",
  k: "k",
  Down: "\u001B[B",
  End: "\u001B[F",
} as const;

type Wanted = string | RegExp | ((screen: string) => boolean);

/** A real OpenCode TUI in a terminal of its own. */
export type Tui = Awaited<ReturnType<typeof openTui>>;

/** Of a terminal, in characters. */
export interface TerminalSize {
  readonly columns: number;
  readonly rows: number;
}

/** What else a TUI can be started with. */
export interface TuiOptions extends Partial<TerminalSize> {
  /** true: opens the newest conversation, not the home screen. */
  readonly newest?: boolean;
}

/**
 * Starts the TUI in a project. The pseudo-terminal comes from `script`, which every Linux and macOS has.
 * @param home OpenCode's own files
 */
export async function openTui(directory: string, home: string, options: TuiOptions = {}) {
  const { columns, rows, newest = false } = { ...SIZE, ...options };
  const device = join(await mkdtemp(join(home, "tty-")), "name");
  const command = `tty > '${device}'; stty rows ${rows} cols ${columns}; exec '${openCodeBinary()}' '${directory}'${newest ? " --continue" : ""}`;
  const args =
    process.platform === "darwin"
      ? ["-q", "/dev/null", "sh", "-c", command]
      : ["-q", "-e", "-f", "-c", command, "/dev/null"];
  const env = {
    ...hermeticEnvironment(home),
    TERM: "xterm-256color",
    COLORTERM: "truecolor",
    // One that hands a command over to the sandbox.
    SHELL: "/bin/bash",
  };
  const terminal = spawn("script", args, { cwd: directory, env, stdio: ["pipe", "pipe", "ignore"] });
  const ended = once(terminal, "close");
  await once(terminal, "spawn");
  const screen = createScreen(columns, rows);
  const decoder = new StringDecoder("utf8");
  const send = (text: string): void => {
    if (terminal.exitCode === null) terminal.stdin.write(text);
  };
  terminal.stdin.on("error", () => undefined); // It may end between the look and the write.
  terminal.stdout.on("data", (chunk: Buffer) => {
    for (const answer of screen.write(decoder.write(chunk))) send(answer);
  });
  /** Waits until the screen is as wanted. @throws with the screen when it does not come */
  const shows = async (wanted: Wanted): Promise<string> => {
    const end = Date.now() + PATIENCE_MS;
    for (;;) {
      const shown = screen.text();
      if (isThere(shown, wanted)) return shown;
      if (Date.now() > end)
        throw new Error(`Waited ${PATIENCE_MS} ms for ${String(wanted)}. The screen:\n${shown}`);
      await pause(50);
    }
  };
  /** Types text, and waits until it stands there. */
  const type = async (text: string): Promise<void> => {
    send(text);
    await shows(text);
  };
  return {
    /** What the terminal shows, as plain text. */
    screen: screen.text,
    /** The same, with colours. */
    cells: screen.cells,
    /** The right part of it. */
    sidebar: () =>
      screen
        .text()
        .split("\n")
        .map((line) => line.slice(SIDEBAR).trim())
        .join("\n"),
    type,
    /** Types text and presses Enter. */
    async submit(text: string): Promise<void> {
      await type(text);
      send(KEYS.Enter);
    },
    press(...keys: (keyof typeof KEYS)[]): void {
      for (const key of keys) send(KEYS[key]);
    },
    shows,
    /** Gives the terminal another size, as a user does who drags its corner. */
    async resize(size: TerminalSize): Promise<void> {
      screen.resize(size.columns, size.rows);
      const of = [process.platform === "darwin" ? "-f" : "-F", (await readFile(device, "utf8")).trim()];
      await promisify(execFile)("stty", [...of, "rows", `${size.rows}`, "cols", `${size.columns}`]);
    },
    /** Presses Tab until this agent is chosen. */
    async select(agent: string): Promise<void> {
      const chosen = (): string | undefined => /^ +┃ {2}(\w+) · main/m.exec(screen.text())?.[1];
      await shows(() => chosen() !== undefined);
      for (let before = chosen(); before !== agent; before = chosen()) {
        send(KEYS.Tab);
        await shows(() => chosen() !== before);
      }
    },
    async close(): Promise<void> {
      terminal.kill();
      await ended;
    },
    /** Ends OpenCode as `kill -9` does. */
    async kill(): Promise<void> {
      await promisify(execFile)("pkill", ["-KILL", "-P", String(terminal.pid)]);
      await ended;
    },
  };
}

function isThere(shown: string, wanted: Wanted): boolean {
  if (typeof wanted === "function") return wanted(shown);
  return typeof wanted === "string" ? shown.includes(wanted) : wanted.test(shown);
}

/** A project with the plugin and its panel, open in the TUI; everything is its own. */
export type TuiProject = Awaited<ReturnType<typeof openTuiProject>>;

/** Makes a project that the user trusts and opens it in the TUI, on the home screen. */
export async function openTuiProject(options: DirectoryOptions = {}, terminal: TuiOptions = {}) {
  const root = await realpath(await mkdtemp(join(tmpdir(), "gaia-tui-")));
  const model = await startScriptedModel();
  const directory = await createDirectory(root, model.url, { panel: true, ...options });
  await furnishHome(homeOf(root));
  await trustProject(root, directory);
  const tui = await openTui(directory, homeOf(root), terminal);
  const close = async (): Promise<void> => {
    await tui.close();
    await model.close();
    await rm(root, { recursive: true, force: true, maxRetries: 5 });
  };
  try {
    await tui.shows("Ask anything");
  } catch (error) {
    await close();
    throw error;
  }
  /** Opens the project in a terminal of another size as well. */
  const openAnother = async (other: TuiOptions): Promise<Tui> => openTui(directory, homeOf(root), other);
  return { ...tui, directory, model, openAnother, close };
}
