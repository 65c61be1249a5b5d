import { spawnSync } from "node:child_process";
import { createSocket } from "node:dgram";
import { mkdirSync } from "node:fs";
import { type AddressInfo, createServer, type Server } from "node:net";
import { networkInterfaces } from "node:os";
import { join } from "node:path";
import { readCases } from "../support/cases.ts";
import type { Ran, World } from "./world.ts";

/**
 * A way out of a containment, each of them one that works where nothing contains it. All but the command are the user's own
 * shell lines, in the project: what has to be there for it to be tried and before it, and what is done afterwards.
 */
export interface Escape {
  readonly kind: string;
  readonly needs?: string;
  /** Prints `NAME=value` for what the command may use. */
  readonly prepare?: string;
  readonly undo?: string;
  readonly command: string;
  /** How one sees that it worked: a file outside, also once the user looks at the project or commits; its output; a line. */
  readonly worked: keyof typeof LINES | { readonly shows: string } | { readonly sh: string };
  /** Only the filter of system calls closes it. */
  readonly only?: "filter";
  /** Who listens. @returns names that the command may use, and what ends it */
  readonly listen?: (world: World) => Promise<{ names: Record<string, string>; close(): void }>;
}

/** What the user does next, which has git run what its settings name and the hooks that are there. */
const LINES = {
  outside: '[ -e "$OUTSIDE/pwned" ]',
  looks: 'git status; [ -e "$OUTSIDE/pwned" ]',
  commits: 'git commit -q --allow-empty -m x; [ -e "$OUTSIDE/pwned" ]',
};

/** Prepares an escape. @returns what undoes it */
export async function prepare(world: World, { prepare: line, undo, listen }: Escape): Promise<() => void> {
  const { environment: env, project: cwd } = world;
  const { stdout } = spawnSync("bash", ["-c", line ?? ""], { cwd, env, encoding: "utf8" });
  const names = stdout.matchAll(/^([A-Z]+)=(.*)$/gm);
  const listening = await listen?.(world);
  Object.assign(
    env,
    Object.fromEntries([...names].map(([, name = "", value]) => [name, value])),
    listening?.names,
  );
  return () => {
    listening?.close();
    if (undo !== undefined) spawnSync("bash", ["-c", undo], { cwd, env });
  };
}

export function hasWorked(world: World, { worked }: Escape, { output }: Ran): boolean {
  const { environment, project: cwd } = world;
  if (typeof worked === "object" && "shows" in worked) return output.includes(worked.shows);
  const line = typeof worked === "string" ? LINES[worked] : worked.sh;
  const env = { ...environment, OUTPUT: output.trim() };
  return spawnSync("bash", ["-c", line], { cwd, env }).status === 0;
}

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

/** A command that connects to a server and prints what comes. */
const reaching = (kind: string, to: string, listen: NonNullable<Escape["listen"]>): Escape => ({
  kind,
  listen,
  command: `node -e 'require("net").connect(${to}).on("data", (d) => console.log(String(d))).on("error", (e) => console.log(e.code))'`,
  worked: { shows: "REACHED" },
});

const socket = (kind: string, path: (world: World) => string): Escape =>
  reaching(kind, 'process.env.AT.replace("@", "\\0")', async (world) => {
    const at = path(world);
    if (!at.startsWith("\0")) mkdirSync(join(at, ".."), { recursive: true });
    const server = await answering(at);
    return { names: { AT: at.replace("\0", "@") }, close: () => void server.close() };
  });

const port = (kind: string, host: string): Escape =>
  reaching(kind, `Number(process.env.PORT), "${host}"`, async () => {
    const server = await answering(0, host);
    const { port: PORT } = server.address() as AddressInfo;
    return { names: { PORT: String(PORT) }, close: () => void server.close() };
  });

/** This machine's own addresses on networks; it may have none. */
const ADDRESSES = Object.values(networkInterfaces()).flatMap((all = []) =>
  all.flatMap(({ internal, family, address }) => (internal || family !== "IPv4" ? [] : [address])),
);

const DATAGRAM: Escape = {
  kind: "a datagram",
  async listen(world) {
    const server = createSocket("udp4");
    server.on("message", () => world.write(join(world.outside, "pwned"), "x"));
    await new Promise<void>((done) => server.bind(0, "127.0.0.1", done));
    return { names: { PORT: String(server.address().port) }, close: () => void server.close() };
  },
  command: "echo x > /dev/udp/127.0.0.1/$PORT; sleep 0.1",
  worked: "outside",
};

export const ESCAPES: readonly Escape[] = [
  ...readCases<Escape>("sandbox/escapes"),
  socket("the socket of a container engine", ({ home }) => join(home, ".docker/run/docker.sock")),
  socket("any other socket", ({ home }) => join(home, "db.sock")),
  socket("an abstract socket", ({ root }) => `\0gaia-${root.slice(-6)}`),
  port("a server on the loopback", "127.0.0.1"),
  ...ADDRESSES.slice(0, 1).map((address) => port("a server on the machine's own address", address)),
  DATAGRAM,
].filter(({ needs }) => needs === undefined || spawnSync("sh", ["-c", needs]).status === 0);
