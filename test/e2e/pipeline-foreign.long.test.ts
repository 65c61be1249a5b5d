import { afterEach, expect, it, vi } from "vitest";
import { toolResults } from "../../src/scripted-model/request.ts";
import { call, say } from "../../src/scripted-model/turn.ts";

import { openProject, type Project } from "../support/project.ts";
import { lastText } from "../support/scripted-model.ts";
import { notesOf, plan, type, wordsOf } from "./collaboration-scenes.ts";
import { LONG_MS } from "./gates-scenes.ts";
import { readCases } from "../support/cases.ts";

/** Plans of other tools, each in its own form, and what GAIA makes of them in the grammar. */

vi.setConfig({ testTimeout: LONG_MS });
let project: Project;
afterEach(async () => project.close());

/** As they lie in a project, and the way in which GAIA first copies them, which the grammar refuses. */
const FOREIGN: readonly (readonly [tool: string, path: string, text: string, copied: string])[] = readCases<
  [tool: string, path: string, text: string, copied: string]
>("e2e/pipeline-foreign.foreign");
const WRITTEN = `## Goal

Requests are limited.

## Tasks

- [ ] 1. Create src/limit.txt
  - agent: hephaestus
  - files: src/limit.txt
  - verify: test -f src/limit.txt
- [ ] 2. Test it in test/limit.txt
  - agent: artemis
  - files: test/limit.txt
  - needs: 1
  - verify: test -f test/limit.txt

## Done When

- \`test -f test/limit.txt\`: it is tested
`;

it("plans of other tools are handed to GAIA, who writes them in the grammar, for the user to approve", async () => {
  project = await openProject({ gaia: { agents: { hades: { disabled: true } } } });
  project.autoAnswer(({ permission }) => (permission.startsWith("gaia_approval: plan") ? "once" : null));
  for (const [at, [tool, path, text, copied]] of FOREIGN.entries()) {
    await project.write(path, text);
    const unit = { slug: `limits-${at}`, title: tool };
    project.model.script(
      "gaia",
      call("read", { filePath: `${project.directory}/${path}` }),
      plan("create_work_unit", { ...unit, content: { markdown: copied } }),
      plan("create_work_unit", { ...unit, content: { markdown: WRITTEN } }),
      plan("request_approval", { kind: "plan" }),
      say("Planned."),
    );
    const before = project.model.requestsOf("gaia").length;
    const session = await project.session();
    await type(project, session, "gaia-plan", path);
    const requests = project.model.requestsOf("gaia").slice(before);
    const [first] = requests;
    const asked = first === undefined ? "" : lastText(first, "user");
    expect(asked).toContain(`what ${path} says, a plan or spec that someone else or another tool wrote`);
    expect(asked).toContain("A task is `- [ ] 1. what and where`");
    const told = requests.map((request) => toolResults(request).at(-1));
    // A copy is refused with every error and its correction, and nothing of it stands there.
    expect(wordsOf(told[2])).toMatch(/is not in the grammar of plans, and nothing was changed: \d errors? /);
    expect(wordsOf(told[2])).toContain("Write: - [ ] ");
    expect(told[3]).toMatchObject({ ok: true, tasks_total: 2 });
    expect(told[4]).toMatchObject({ ok: true, approved: true, by: "user" });
    const written = await project.read(`.gaia/limits-${at}/plan.md`);
    expect(written).toContain("> Status: approved");
    expect(written).toContain(WRITTEN.trim());
    expect(await project.read(path)).toBe(text);
    expect((await notesOf(project, session)).join("\n")).toContain(
      "- 1. Create src/limit.txt (hephaestus; src/limit.txt; verify: test -f src/limit.txt)",
    );
  }
});
