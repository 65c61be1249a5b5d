import { findCommitHook, installCommitHook } from "../../checks/commit-hook/commit-hook.ts";
import { describeLost } from "../../checks/commit-hook/lost.ts";
import { adviceOn } from "../../checks/commit-hook/managers.ts";
import { describeError } from "../../lib/error.ts";
import type { PrepareStep } from "./define.ts";

const YES = "Install the hook";
const NO = "No hook";

/** People's own commits pass the same checks when git runs them, where the user wants that. */
export const prepareCommitHook: PrepareStep = async ({ host, clock, verifier }) => {
  const suggested = await verifier.suggest();
  if (suggested !== null && suggested.length === 0) return null;
  const found = await findCommitHook(host.project, clock);
  if (found.kind === "none" || found.hook.isInstalled) return null;
  const { hook } = found;
  const lost = describeLost(found);
  const advice = adviceOn(hook.manager);
  const description = hook.isShared
    ? `A few lines in ${hook.path}, which others get with the repository.`
    : `A few lines in ${hook.path}; what is there goes on running.`;
  return {
    question: {
      header: "Commit hook",
      question: `${lost === null ? "" : `${lost.what} `}Should git run your checks (opencode-gaia check) before each commit, yours included?`,
      options: [
        {
          label: YES,
          description: `${description} opencode-gaia hook remove takes them out.${advice === null ? "" : ` But ${advice}.`}`,
        },
        { label: NO, description: "Only GAIA's commits need passing checks." },
      ],
      multiple: false,
    },
    async settle(labels) {
      if (labels.length !== 1 || labels[0] !== YES) return "";
      try {
        await installCommitHook(hook);
        return `${hook.path}: the hook is installed.`;
      } catch (error) {
        return `The hook was not installed: ${describeError(error)}`;
      }
    },
  };
};
