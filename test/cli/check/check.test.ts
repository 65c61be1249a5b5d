import { mkdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { check } from "../../../src/cli/check.ts";
import { trust } from "../../../src/cli/trust.ts";
import { createProject } from "../../checks/project.ts";

const confirm = async (): Promise<boolean> => true;

interface Place {
  readonly directory: string;
  readonly environment: NodeJS.ProcessEnv;
}

async function place(checks: readonly object[] | null, isTrusted = true): Promise<Place> {
  const root = await createProject(
    checks === null ? {} : { "project/.gaia/config.jsonc": JSON.stringify({ definitionOfDone: { checks } }) },
  );
  const directory = join(root, "project");
  await mkdir(directory, { recursive: true });
  const environment = {
    ...process.env,
    XDG_CONFIG_HOME: join(root, "user"),
    XDG_DATA_HOME: join(root, "data"),
  };
  if (isTrusted && checks !== null)
    await trust.run(["grant", "--all"], { print: () => undefined, confirm, from: directory, environment });
  return { directory, environment };
}

async function run(
  { directory, environment }: Place,
  ...args: string[]
): Promise<[code: number, text: string]> {
  const lines: string[] = [];
  const code = await check.run(args, {
    print: (text) => lines.push(text),
    confirm,
    from: directory,
    environment,
  });
  return [code, lines.join("\n")];
}

describe("opencode-gaia check", () => {
  it("ends with 0 when all of it passes", async () => {
    const [code, text] = await run(await place([{ id: "a", command: "true" }]));
    expect([code, text]).toEqual([0, expect.stringContaining("passed: 1 of 1 checks passed")]);
  });

  it("ends with 1 when something fails, and shows what", async () => {
    const at = await place([
      { id: "good", command: "true" },
      { id: "bad", command: "echo the cause; exit 3" },
    ]);
    const [code, text] = await run(at);
    expect(code).toBe(1);
    expect(text).toMatch(
      /- bad: failed \(exit code 3\), .* \(`echo the cause; exit 3`\)\n\n {4}the cause\n.*NOT passed: 1 of 2/su,
    );
  });

  it("runs the checks of a scope", async () => {
    const at = await place([
      { id: "code", command: "false" },
      { id: "links", command: "true", scope: "doc" },
    ]);
    expect((await run(at, "--scope", "doc"))[0]).toBe(0);
    expect((await run(at))[0]).toBe(1);
  });

  it("ends with 2, and runs nothing, before the user has said yes", async () => {
    const at = await place([{ id: "a", command: "touch was-run" }], false);
    const [code, text] = await run(at);
    expect([code, text]).toEqual([2, expect.stringContaining("Nothing was checked.")]);
    await expect(readFile(join(at.directory, "was-run"))).rejects.toThrow("ENOENT");
  });

  it("ends with 2 for a command that no mode allows", async () => {
    const [code, text] = await run(await place([{ id: "a", command: "sudo true" }]));
    expect([code, text]).toEqual([2, expect.stringContaining("is dangerous")]);
  });

  it("ends with 0 where there is nothing to check, and says so", async () => {
    expect(await run(await place(null))).toEqual([0, expect.stringContaining("No Definition of Done")]);
  });
});
