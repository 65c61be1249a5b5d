import { spawn } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:net";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { readCases } from "../support/cases.ts";
import type { Ran, World } from "./world.ts";

/** A way out of a containment: what a command tries, and how one sees that it worked. */
export interface Escape {
  readonly kind: string;
  /** What has to be there first; it gives what undoes it, and names that the command may use. */
  prepare?(world: World): Promise<{ names?: Record<string, string>; undo?(): void }>;
  readonly command: string;
  worked(world: World, ran: Ran): boolean | Promise<boolean>;
}

export const outside = (world: World): boolean => existsSync(join(world.outside, "pwned"));
export const shows =
  (text: string) =>
  (_world: World, ran: Ran): boolean =>
    ran.output.includes(text);
export const hasChanged =
  (path: (world: World) => string, before: string) =>
  (world: World): boolean =>
    readFileSync(path(world), "utf8") !== before;
/** The user looks at the state of the project, which has git run what its settings name. */
export const whenTheUserLooks = (world: World): boolean => {
  try {
    world.git("status");
  } catch {
    // What was planted may fail as well.
  }
  return outside(world);
};

/** The user commits, which has git run the hooks that are there. */
export const whenTheUserCommits = (world: World): boolean => {
  try {
    world.git("commit", "-q", "--allow-empty", "-m", "x");
  } catch {
    // What was planted may fail as well.
  }
  return outside(world);
};

/** Puts files into the project. */
export const withFiles = (files: Readonly<Record<string, string>>): NonNullable<Escape["prepare"]> =>
  async function prepare({ project }) {
    for (const [path, text] of Object.entries(files)) {
      mkdirSync(join(project, path, ".."), { recursive: true });
      writeFileSync(join(project, path), text);
    }
    return {};
  };

const SIGNS = { outside, looks: whenTheUserLooks, commits: whenTheUserCommits };

interface PlainEscape extends Pick<Escape, "kind" | "command"> {
  readonly files?: Readonly<Record<string, string>>;
  readonly worked: keyof typeof SIGNS | { readonly shows: string };
}

/** Those that one sees by what they print, or by a file that was not there. */
const PLAIN = readCases<PlainEscape>("sandbox/escapes").map(
  ({ kind, command, files = {}, worked }): Escape => ({
    kind,
    command,
    prepare: withFiles(files),
    worked: typeof worked === "string" ? SIGNS[worked] : shows(worked.shows),
  }),
);

/** Answers everyone with one word. */
export async function answering(at: string | number, host = "127.0.0.1"): Promise<Server> {
  const server = createServer((socket) => {
    // Some only knock.
    socket.on("error", () => undefined).end("HTTP/1.0 200 OK\r\n\r\nREACHED");
  });
  await new Promise<void>((done, fail) => {
    server.once("error", fail);
    if (typeof at === "string") server.listen(at, done);
    else server.listen(at, host, done);
  });
  return server;
}

const socketAt = (name: string, path: (world: World) => string): NonNullable<Escape["prepare"]> =>
  async function prepare(world) {
    const at = path(world);
    if (!at.startsWith("\0")) mkdirSync(join(at, ".."), { recursive: true });
    const server = await answering(at);
    return { names: { [name]: at.replace("\0", "@") }, undo: () => void server.close() };
  };

/** Connects to a socket and prints what comes. */
export const CONNECT = (at: string): string =>
  `node -e 'require("net").connect(${at}).on("data", (d) => console.log(String(d))).on("error", (e) => console.log(e.code))'`;

/** A process of the user's, with a secret in its environment. */
const process_: NonNullable<Escape["prepare"]> = async () => {
  const child = spawn("sleep", ["60"], {
    env: { ...process.env, HIDDEN: "SECRET-OF-A-PROCESS" },
    stdio: "ignore",
  });
  await pause(50);
  return { names: { VICTIM: String(child.pid) }, undo: () => void child.kill("SIGKILL") };
};

/** Ways out as they are known, each of them one that works where nothing contains it. */
export const ESCAPES: readonly Escape[] = [
  ...PLAIN,
  {
    kind: "a hard link",
    command: 'ln "$OUTSIDE/file" hard && echo x >> hard',
    worked: hasChanged(({ outside: folder }) => join(folder, "file"), "as it was\n"),
  },
  {
    kind: "a signal to the user's process",
    prepare: process_,
    command: "kill -0 $VICTIM && echo REACHED",
    worked: shows("REACHED"),
  },
  {
    kind: "the environment of the user's process",
    prepare: process_,
    command: "tr '\\0' '\\n' < /proc/$VICTIM/environ",
    worked: shows("SECRET-OF-A-PROCESS"),
  },
  {
    kind: "the socket of a container engine",
    prepare: socketAt("ENGINE", ({ home }) => join(home, ".docker/run/docker.sock")),
    command: CONNECT("process.env.ENGINE"),
    worked: shows("REACHED"),
  },
  {
    kind: "any other socket",
    prepare: socketAt("ANY", ({ home }) => join(home, "db.sock")),
    command: CONNECT("process.env.ANY"),
    worked: shows("REACHED"),
  },
  {
    kind: "an abstract socket",
    prepare: socketAt("ABSTRACT", ({ root }) => `\0gaia-${root.slice(-6)}`),
    command: CONNECT('process.env.ABSTRACT.replace("@", "\\0")'),
    worked: shows("REACHED"),
  },
  {
    kind: "a server on the loopback",
    async prepare() {
      const server = await answering(0);
      const address = server.address();
      const port = typeof address === "object" ? String(address?.port) : "";
      return { names: { PORT: port }, undo: () => void server.close() };
    },
    command: CONNECT('Number(process.env.PORT), "127.0.0.1"'),
    worked: shows("REACHED"),
  },
  {
    kind: "a hook of git's",
    command: `printf '#!/bin/sh\\ntouch "$OUTSIDE/pwned"\\n' > .git/hooks/pre-commit; chmod +x .git/hooks/pre-commit`,
    worked(world) {
      world.git("commit", "-q", "--allow-empty", "-m", "Two");
      return outside(world);
    },
  },
  {
    kind: "a plugin for OpenCode",
    command: "mkdir -p .opencode/plugin && echo x > .opencode/plugin/a.js",
    worked: ({ project }) => existsSync(join(project, ".opencode")),
  },
  {
    kind: "the configuration of GAIA",
    command: 'rm -rf .gaia; mv .gaia x; echo \'{"mode":"autopilot"}\' > .gaia/config.jsonc',
    worked: hasNot(".gaia/config.jsonc", "{}\n"),
  },
  {
    kind: "the configuration of a shell and an editor",
    command: 'echo "touch pwned" >> "$HOME/.bashrc"; echo x > "$HOME/.vimrc"',
    worked: (world) =>
      existsSync(join(world.home, ".vimrc")) ||
      hasChanged(({ home }) => join(home, ".bashrc"), "# the user's\n")(world),
  },
  {
    kind: "npm's configuration",
    command: 'echo "script-shell=/evil" > "$HOME/.npmrc"',
    worked: hasChanged(({ home }) => join(home, ".npmrc"), "//registry/:_authToken=TOKEN-OF-THE-USER\n"),
  },
  {
    kind: "a cache that others use",
    command: 'echo evil > "$HOME/.npm/_cacache/index"',
    worked: hasChanged(({ home }) => join(home, ".npm/_cacache/index"), "index\n"),
  },
  {
    kind: "a process that outlives the call",
    command: `setsid sh -c 'sleep 1; echo x > late' >/dev/null 2>&1 & echo started`,
    async worked({ project }) {
      await pause(1_500);
      return existsSync(join(project, "late"));
    },
  },
];

function hasNot(name: string, text: string): Escape["worked"] {
  return ({ project }) => {
    const path = join(project, name);
    return !existsSync(path) || readFileSync(path, "utf8") !== text;
  };
}
