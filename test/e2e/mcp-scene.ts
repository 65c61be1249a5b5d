import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { onTestFinished } from "vitest";
import { trust } from "../../src/cli/trust.ts";

/** The command line as it is shipped. */
const CLI = [join(process.cwd(), "dist/cli.js")];

/** A project of its own, in which the command runs as a user would start it. */
export interface Scene {
  readonly directory: string;
  readonly environment: Record<string, string>;
  put(path: string, text: string): Promise<void>;
  /** The user says yes to all that the project asks for. */
  trust(): Promise<void>;
  /** A client of a server of its own; `pid` is the server's. */
  connect(): Promise<{ readonly client: Client; readonly pid: number }>;
}

export async function openScene(files: Record<string, string> = {}): Promise<Scene> {
  const root = await mkdtemp(join(tmpdir(), "gaia-mcp-"));
  onTestFinished(async () => rm(root, { recursive: true, force: true, maxRetries: 3 }));
  const directory = join(root, "project");
  const environment = {
    PATH: process.env["PATH"] ?? "",
    HOME: root,
    XDG_CONFIG_HOME: join(root, "config"),
    XDG_DATA_HOME: join(root, "data"),
    DEPLOY_TOKEN: "s3cr3t-of-the-user",
  };
  const put: Scene["put"] = async (path, text) => {
    await mkdir(dirname(join(directory, path)), { recursive: true });
    await writeFile(join(directory, path), text);
  };
  await mkdir(join(directory, ".git"), { recursive: true });
  for (const [path, text] of Object.entries(files)) await put(path, text);
  return {
    directory,
    environment,
    put,
    async trust() {
      const confirm = async (): Promise<boolean> => true;
      await trust.run(["grant", "--all"], { print: () => undefined, confirm, from: directory, environment });
    },
    async connect() {
      const args = [...CLI, "mcp"];
      const given = { command: process.execPath, args, cwd: directory, env: environment };
      const transport = new StdioClientTransport({ ...given, stderr: "inherit" });
      const client = new Client({ name: "tester", version: "1" });
      await client.connect(transport);
      onTestFinished(async () => client.close());
      return { client, pid: transport.pid ?? 0 };
    },
  };
}

/** What a tool answers, as data; an error's words as they are. */
export async function ask<T = unknown>(client: Client, name: string, args: object = {}): Promise<T> {
  const result = await client.callTool({ name, arguments: { ...args } });
  const [part] = result.content as { text: string }[];
  if (result.isError === true) throw new Error(part?.text);
  return JSON.parse(part?.text ?? "") as T;
}
