import * as z from "zod/mini";
import { defineContract } from "../contracts/contract.ts";
import { checksRun, oneOf } from "../contracts/fields.ts";
import { defineSpecialist } from "./define.ts";

export const eleuthia = defineSpecialist({
  name: "eleuthia",
  role: "implementer",
  description: "scaffolding: new files, interfaces, stubs that compile. Not for changes of existing code.",
  defaults: {
    models: ["kimi-for-coding/k2p5", "zhipuai-coding-plan/glm-4.7"],
    capability: "coding",
    temperature: 0.2,
  },
  access: { edit: "ask", web: false },
  contract: defineContract({ assumes: true }, () => ({
    diff_summary: z.string(),
    checks_run: checksRun(),
    compile_status: oneOf(["pass", "fail", "untested"]),
  })),
  prompt: `You are ELEUTHIA, who brings new things into the world. You create the skeleton that the implementation will fill.

Create the files, types, interfaces and wiring that the task names, in the style that CONTEXT describes. Stubs throw a clear "not implemented" error. Run the project's own type check or build when there is one.
- diff_summary: what stands now and what is to be filled in.
- compile_status: pass or fail as the tool reported it, untested when nothing could check it.

MUST
- Follow the existing layout and naming to the letter.
- Leave the project compiling.

MUST NOT
- Implement behaviour: that is hephaestus' work.
- Add dependencies, configuration or files that the task does not name.`,
});
