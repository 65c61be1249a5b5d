import { afterEach, expect, it, vi } from "vitest";
import { toolResults } from "../../src/scripted-model/request.ts";
import { call, say } from "../../src/scripted-model/turn.ts";

import { openProject, type Project } from "../support/project.ts";
import { lastText } from "../support/scripted-model.ts";
import { notesOf, plan, type, wordsOf } from "./collaboration-scenes.ts";
import { LONG_MS } from "./gates-scenes.ts";

/** Plans of other tools, each in its own form, and what GAIA makes of them in the grammar. */

vi.setConfig({ testTimeout: LONG_MS });
let project: Project;
afterEach(async () => project.close());

/** As they lie in a project, and the way in which GAIA first copies them, which the grammar refuses. */
const FOREIGN: readonly (readonly [tool: string, path: string, text: string, copied: string])[] = [
  [
    "Spec Kit",
    "specs/001-limits/tasks.md",
    "# Tasks: Limits\n\n## Phase 3.1: Setup\n- [ ] T001 Create src/limit.txt\n\n## Phase 3.2: Tests\n- [ ] T002 [P] Test it in test/limit.txt\n",
    "## Tasks\n\n### Phase 3.1: Setup\n- [ ] T001 Create src/limit.txt\n- [ ] T002 [P] Test it in test/limit.txt\n",
  ],
  [
    "OpenSpec",
    "openspec/changes/add-limits/tasks.md",
    "## 1. Implementation\n- [ ] 1.1 Create src/limit.txt\n- [ ] 1.2 Test it in test/limit.txt\n",
    "## Tasks\n\n- [ ] 1.1 Create src/limit.txt\n- [ ] 1.2 Test it in test/limit.txt\n",
  ],
  [
    "Kiro",
    ".kiro/specs/limits/tasks.md",
    "# Implementation Plan\n\n- [ ] 1. Create the limiter\n  - Create src/limit.txt\n  - _Requirements: 1.1_\n- [ ]* 2. Test it in test/limit.txt\n",
    "## Tasks\n\n- [ ] 1. Create src/limit.txt\n- [ ]* 2. Test it in test/limit.txt\n",
  ],
  [
    "task-master",
    ".taskmaster/tasks/tasks.json",
    '{"tasks":[{"id":1,"title":"Create src/limit.txt","status":"pending","dependencies":[]},{"id":2,"title":"Test it","dependencies":[1]}]}\n',
    "## Tasks\n\n1. Create src/limit.txt\n2. Test it\n  - dependencies: 1\n",
  ],
  [
    "superpowers",
    "docs/plans/limits.md",
    "# Limits\n\n### Task 1: The limiter\n\n**Files:**\n- Create: `src/limit.txt`\n\n- [ ] **Step 1: Write it**\n\n### Task 2: Its test\n",
    "## Tasks\n\n### Task 1: The limiter\n\n**Files:**\n- Create: `src/limit.txt`\n\n### Task 2: Its test\n",
  ],
];
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
      "- 1. Create src/limit.txt (hephaestus; src/limit.txt (new); verify: test -f src/limit.txt)",
    );
  }
});
