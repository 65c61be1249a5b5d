import { appendFile } from "node:fs/promises";
import { join } from "node:path";
import { describeError } from "../../lib/error.ts";
import { readSource } from "../../lib/read-source.ts";
import { adviseGitattributes } from "../../workspace/gitattributes.ts";
import type { PrepareStep } from "./define.ts";

const FILE = ".gitattributes";
const YES = "Add the lines";
const NO = "Leave it as it is";

/** Two people's records merge by themselves with git's union driver, where the user wants these lines. */
export const prepareMerging: PrepareStep = async ({ host, clock, vcs }) => {
  const path = join(host.project, FILE);
  const file = await readSource(path, clock);
  if (vcs.kind === "none" || file.state === "failed") return null;
  const current = file.state === "read" ? Buffer.from(file.bytes).toString("utf8") : "";
  const advice = adviseGitattributes(current);
  if (advice === null || (await vcs.isIgnored(".gaia/learnings.md"))) return null;
  const description = advice.trim().replaceAll("\n", " · ");
  return {
    question: {
      header: "Merging",
      question: `Should ${FILE} let git keep both sides where two people's records meet?`,
      options: [
        { label: YES, description },
        { label: NO, description: "Conflicts in .gaia/ are resolved by hand." },
      ],
      multiple: false,
    },
    async settle(labels) {
      if (labels.length !== 1 || labels[0] !== YES) return "";
      try {
        await appendFile(path, current === "" || current.endsWith("\n") ? advice : `\n${advice}`);
        return `${FILE}: lines for .gaia/ added.`;
      } catch (error) {
        return `${FILE} was not written: ${describeError(error)}`;
      }
    },
  };
};
