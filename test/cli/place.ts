import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Command } from "../../src/cli/main.ts";
import { writeIn, openFolder } from "../support/directory.ts";

/** A project and its user's own folders, in which commands of the CLI are run. */
export async function openPlace(files: Readonly<Record<string, string>> = {}) {
  const root = await openFolder();
  const project = join(root, "project");
  const asked: string[] = [];
  const environment: NodeJS.ProcessEnv = {
    PATH: process.env["PATH"],
    HOME: join(root, "home"),
    XDG_CONFIG_HOME: join(root, "user"),
    XDG_DATA_HOME: join(root, "data"),
    XDG_CACHE_HOME: join(root, "cache"),
  };
  const put = async (path: string, text: string): Promise<string> => writeIn(root, path, text);
  for (const [path, text] of Object.entries({ "project/.git/HEAD": "ref: refs/heads/main\n", ...files }))
    await put(path, text);
  return {
    root,
    project,
    environment,
    /** What a person was asked. */
    asked,
    put,
    read: async (path: string): Promise<string> => readFile(join(root, path), "utf8"),
    /** Runs a command in the project; a person answers as given. @returns its exit code, and what it printed */
    async run(
      command: Command,
      args: string,
      answer = true,
      from = project,
    ): Promise<[code: number, text: string]> {
      const lines: string[] = [];
      const code = await command.run(args.split(" ").filter(Boolean), {
        print: (text) => void lines.push(text),
        confirm: async (question) => {
          asked.push(question);
          return answer;
        },
        from,
        environment,
      });
      return [code, lines.join("\n")];
    },
  };
}

export type Place = Awaited<ReturnType<typeof openPlace>>;
