import { mkdir, readFile, symlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { afterEach, expect, it, vi } from "vitest";
import { type JsonRecord, listOf, recordOf } from "../../src/lib/json.ts";
import { call, say } from "../../src/scripted-model/turn.ts";
import { openProject, type Project } from "../support/project.ts";
import { delegate, done, follow, lastUser, LONG_MS, notesOf, plan, planOf, toldTo, UNIT } from "./scenes.ts";

let project: Project;
afterEach(async () => project.close());
vi.setConfig({ testTimeout: LONG_MS });

const FILES = {
  ".gitignore": "node_modules\n",
  "tsconfig.json": JSON.stringify({ compilerOptions: { strict: true, module: "nodenext", noEmit: true } }),
  "src/math.ts": "export function total(list: number[]): number {\n  return list.length;\n}\n",
  "src/bill.ts": 'import { total as sum } from "./math.js";\n\nexport const bill = sum([1]);\n',
  "src/report.ts": 'import { total } from "./math.js";\n\nexport const report = total([3]);\n',
};

/** The server that this package is developed with, as npm installs one in a project. */
async function install(directory: string): Promise<void> {
  await mkdir(join(directory, "node_modules/.bin"), { recursive: true });
  const program = "node_modules/.bin/typescript-language-server";
  await symlink(resolve(program), join(directory, program));
}

const text = async (name: string): Promise<string> => readFile(join(project.directory, name), "utf8");

it("specialists ask the project's language server, hear of callers that an edit breaks, and rename in all files after a yes", async () => {
  project = await openProject({
    // Containment hides what lies in the temporary folder, where this repository may lie itself.
    gaia: {
      sandbox: resolve(".").startsWith(tmpdir()) ? "off" : "auto",
      code: "on",
      interaction: "pair",
      checkinCadence: "batch",
    },
    files: FILES,
    prepare: install,
  });
  const asked: (readonly string[])[] = [];
  project.autoAnswer(({ permission, patterns }) => {
    if (permission === "edit") asked.push(patterns);
    return "once";
  });
  const retype = (from: string, to: string) =>
    call("edit", { filePath: join(project.directory, "src/math.ts"), oldString: from, newString: to });
  project.model.script("gaia", UNIT, plan("set_active", {}), delegate(), say("Done."));
  project.model.script(
    "hephaestus",
    call("code_gaia", { op: "diagnostics", file: "src/math.ts" }),
    retype("list: number[]", "list: string[]"),
    retype("list: string[]", "list: number[]"),
    call("code_gaia", { op: "rename", file: "src/math.ts", name: "total", line: 1, new_name: "count" }),
    call("code_gaia", { op: "diagnostics", file: "src/main.go" }),
    done,
  );
  await follow(project, "Build it");
  const [errors, broken, whole, renamed, missing] = toldTo(project, "hephaestus");
  expect(errors).toBe("No errors.");
  expect(broken).toContain("New errors since this edit, by the language server:\nsrc/bill.ts:3:26: 2322: ");
  expect(broken).toContain("src/report.ts:3:30: 2322: ");
  expect(whole).not.toContain("New errors");
  expect(renamed).toMatch(/^Renamed total to count in 3 files:/);
  expect(missing).toContain("go install golang.org/x/tools/gopls@latest");
  expect(asked).toContainEqual(["src/bill.ts", "src/math.ts", "src/report.ts"]);
  expect(await text("src/bill.ts")).toContain("import { count as sum }");
  expect(await text("src/report.ts")).toContain("report = count([3])");
  // What the server said is among the facts of the check-in.
  expect(lastUser(project) + JSON.stringify(project.model.requestsOf("gaia").at(-1)?.raw)).toContain(
    "new errors after edit",
  );
  const tools = (agent: string): JsonRecord[] => {
    const { tools: given } = recordOf(project.model.requestsOf(agent)[0]?.body);
    return listOf(given).map((tool) => recordOf(recordOf(tool)["function"]));
  };
  const own = tools("hephaestus").find(({ name }) => name === "code_gaia");
  expect(JSON.stringify(own).length).toBeLessThanOrEqual(700);
  expect(tools("gaia").map(({ name }) => name)).not.toContain("code_gaia");
});

it("a project's first plan tells once which language servers specialists could ask", async () => {
  project = await openProject({ files: FILES, prepare: install });
  project.autoAnswer(() => "once");
  const approve = (slug: string) => [
    plan("create_work_unit", {
      slug,
      title: slug,
      content: { markdown: planOf("Sum", [{ text: "Write it", verify: "true" }]) },
    }),
    plan("request_approval", { kind: "plan" }),
  ];
  project.model.script("gaia", ...approve("one"), ...approve("two"), say("Approved."));
  const { sessionId } = await follow(project, "Plan it");
  const told = (await notesOf(project, sessionId)).join("\n").match(/.*hands.*/g);
  expect(told).toEqual([
    'A language server for typescript is installed: "hands": "on" in .gaia/config.jsonc lets specialists ask it.',
  ]);
});
