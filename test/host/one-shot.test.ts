import { beforeEach, describe, expect, it, vi } from "vitest";
import { isOneShot } from "../../src/host/opencode/adapter.ts";
import { openOneShot } from "../../src/host/opencode/one-shot.ts";
import type { OneShot } from "../../src/host/port.ts";

const argv = (...args: string[]): string[] => ["bun", "/$bunfs/root/src/index.js", ...args];

describe("a process that carries out one request", () => {
  it.each<[boolean, string[]]>([
    [true, ["run", "Go"]],
    [true, ["--print-logs", "--log-level", "DEBUG", "run", "--agent", "gaia", "Go"]],
    [false, []],
    [false, ["serve", "--port", "1"]],
    [false, ["/projects/run"]],
    [false, ["--log-level", "run"]],
    [false, ["run", "--attach", "http://localhost:1", "Go"]],
    [false, ["run", "--attach=http://localhost:1", "Go"]],
    [false, ["run", "--interactive"]],
  ])("is %s: %j", (expected, args) => {
    expect(isOneShot(argv(...args))).toBe(expected);
  });
});

describe("what it prints", () => {
  let out: string[];
  let passed: string;
  let exit: (code: number) => void;
  let exited: number | null;
  const stderr = { write: (_text: string | Uint8Array): boolean => true };
  const LINE = "! permission requested: edit (a.txt, b.txt); auto-rejecting";
  const REQUEST = { permission: "edit", patterns: ["a.txt", "b.txt"] };

  const signals = new Map<NodeJS.Signals, () => void>();
  let isTTY: boolean;

  beforeEach(() => {
    signals.clear();
    isTTY = true;
    [out, passed, exited] = [[], "", null];
    stderr.write = (text) => {
      passed += String(text);
      return true;
    };
  });
  function open(...args: string[]): OneShot {
    return openOneShot(
      {
        argv: argv("run", ...args),
        stderr,
        on: (_event, listener) => {
          exit = listener;
        },
        exit: (code) => {
          exited = code;
        },
        pid: 7,
        stdin: { isTTY },
        once: (signal, listener) => {
          signals.set(signal, listener);
        },
        kill: (pid, signal) => out.push(`kill ${pid} ${signal}`),
      },
      (stream, text) => out.push(`${stream} ${text}`),
    );
  }
  const printed = (): void => {
    stderr.write(LINE);
    stderr.write("\n");
  };

  it("ends with the outcome in words and as the exit code", () => {
    const run = open("Go");
    run.atEnd(() => ({ session: "root", exitCode: 2, text: "GAIA: blocked", facts: { outcome: "blocked" } }));
    exit(0);
    expect([out, exited]).toEqual([["2 GAIA: blocked\n"], 2]);
  });

  it("ends with an object where a program reads, also where nothing is to be said", () => {
    const run = open("--format", "json", "Go");
    run.atEnd(() => ({ session: "root", exitCode: 0, text: "", facts: { outcome: "done" } }));
    exit(0);
    expect(out[0]).toMatch(/^1 \{"type":"gaia","timestamp":\d+,"sessionID":"root","outcome":"done"\}\n$/);
    expect(exited).toBeNull();
  });

  it.each([
    ["OpenCode failed because a turn of ours was held", 2, 1, 2],
    ["OpenCode failed, and we say so too", 1, 1, null],
    ["OpenCode failed by itself", 0, 1, null],
    ["it was ended by a signal", 2, 130, null],
  ])("ends with the code that its words name: %s", (_name, exitCode, code, expected) => {
    open("Go").atEnd(() => ({ session: "root", exitCode, text: "", facts: {} }));
    exit(code);
    expect(exited).toBe(expected);
  });

  it("tells of a signal before it ends by it, once, and listens to none as long as there is nothing to tell", () => {
    vi.useFakeTimers();
    const run = open("Go");
    expect([...signals.keys()]).toEqual([]);
    run.atEnd((signal) => ({ session: "root", exitCode: 130, text: `GAIA: stopped: ${signal}`, facts: {} }));
    signals.get("SIGINT")?.();
    expect([out, exited]).toEqual([["2 GAIA: stopped: SIGINT\n", "kill 7 SIGINT"], null]);
    // Where the signal does not end it.
    vi.advanceTimersByTime(500);
    expect(exited).toBe(130);
    exit(130);
    expect(out).toHaveLength(2);
    vi.useRealTimers();
  });

  it.each<[string, boolean, NodeJS.Signals[]]>([
    ["in a terminal", true, ["SIGTERM", "SIGINT"]],
    ["elsewhere, where Ctrl+C may be ignored", false, ["SIGTERM"]],
  ])("listens to the signals that end it: %s", (_name, terminal, expected) => {
    isTTY = terminal;
    open("Go").atEnd(() => null);
    expect([...signals.keys()]).toEqual(expected);
  });

  it("ends by a signal where the plugin fails to tell of it", () => {
    open("Go").atEnd(() => {
      throw new Error("no");
    });
    vi.useFakeTimers();
    signals.get("SIGTERM")?.();
    vi.useRealTimers();
    expect(out).toEqual(["kill 7 SIGTERM"]);
  });

  it("survives a failure of the plugin's", () => {
    open("Go").atEnd(() => {
      throw new Error("no");
    });
    exit(0);
    expect([out, exited]).toEqual([[], null]);
  });

  it.each([true, false])(
    "tells no refusal that is none, whoever is first (answered before: %s)",
    (isFirst) => {
      const run = open("Go");
      if (isFirst) run.settled(REQUEST, true);
      printed();
      if (!isFirst) run.settled(REQUEST, true);
      stderr.write("next\n");
      exit(0);
      expect(passed).toBe("next\n");
    },
  );

  it("tells one that is true, and at the end one of which nothing was heard", () => {
    const run = open("Go");
    printed();
    expect(passed).toBe("");
    run.settled(REQUEST, false);
    expect(passed).toBe(`${LINE}\n`);
    run.settled(REQUEST, false);
    printed();
    expect(passed).toBe(`${LINE}\n`.repeat(2));
    printed();
    exit(0);
    expect(passed).toBe(`${LINE}\n`.repeat(3));
  });
});
