import { execFile } from "node:child_process";
import { setTimeout as pause } from "node:timers/promises";
import { promisify } from "node:util";
import { openCodeBinary } from "../../src/cli/demo/binaries.ts";
import { hermeticEnvironment } from "../../src/cli/demo/hermetic-environment.ts";
import { describeError } from "../../src/lib/error.ts";

const run = promisify(execFile);

/** How long the screen may take to show something, in milliseconds. */
const PATIENCE_MS = 30_000;
const SIZE = ["-x", "160", "-y", "48"];

/** A real OpenCode TUI in a terminal of its own. Needs tmux, so no test that everybody runs may use it. */
export interface Tui {
  /** What the terminal shows, as plain text. */
  screen(): Promise<string>;
  /** Types text as it stands. */
  type(text: string): Promise<void>;
  /** Presses keys by tmux's names, such as `Enter`, `Tab`, `Escape`, `C-p`. */
  press(...keys: string[]): Promise<void>;
  /** Waits until the screen holds this. @throws with the screen when it does not come */
  shows(text: string | RegExp): Promise<string>;
  close(): Promise<void>;
}

/**
 * Starts the TUI in a project.
 * @param home OpenCode's own files
 * @throws when there is no tmux
 */
export async function openTui(directory: string, home: string): Promise<Tui> {
  const socket = `gaia-${process.pid}-${Date.now()}`;
  const tmux = async (...args: string[]): Promise<string> => {
    try {
      const env = { ...hermeticEnvironment(home), TERM: "xterm-256color", COLORTERM: "truecolor" };
      return (await run("tmux", ["-L", socket, "-f", "/dev/null", ...args], { cwd: directory, env })).stdout;
    } catch (error) {
      throw new Error(`tmux ${args[0]} failed (is tmux installed?): ${describeError(error)}`, {
        cause: error,
      });
    }
  };
  await tmux("new-session", "-d", ...SIZE, "-s", "tui", openCodeBinary(), directory);
  const screen = async (): Promise<string> => tmux("capture-pane", "-p", "-t", "tui");
  return {
    screen,
    async type(text) {
      await tmux("send-keys", "-t", "tui", "-l", text);
    },
    async press(...keys) {
      await tmux("send-keys", "-t", "tui", ...keys);
    },
    async shows(text) {
      const end = Date.now() + PATIENCE_MS;
      for (;;) {
        const shown = await screen();
        if (typeof text === "string" ? shown.includes(text) : text.test(shown)) return shown;
        if (Date.now() > end) throw new Error(`Waited ${PATIENCE_MS} ms for ${text}. The screen:\n${shown}`);
        await pause(100);
      }
    },
    async close() {
      await tmux("kill-server");
    },
  };
}
