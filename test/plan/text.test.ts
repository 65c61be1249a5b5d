import { expect, it } from "vitest";
import { renderPlanForApproval } from "../../src/plan/text.ts";

it("shows a plan to be approved without the boxes of what is to hold", () => {
  const plan_md = "# Unit\n\n## Goal\n\nGo.\n\n## Done When\n\n- [ ] `npm test`\n- [ ] it looks [ ] good\n";
  expect(renderPlanForApproval({ slug: "unit", title: "Unit", tasks: [], plan_md })).toContain(
    "Done When:\n- `npm test`\n- it looks [ ] good\n",
  );
});
