import { findCommitHook, installCommitHook, removeCommitHook } from "../checks/commit-hook.ts";
import { findProject, repositoryRoot } from "../lib/find-project.ts";
import { defineCommand, misuse } from "./main.ts";

const HELP = `opencode-gaia hook [show | install | remove]

A pre-commit hook of git that runs opencode-gaia check: no commit of yours while the Definition of Done
does not pass. Where there is such a hook already, or core.hooksPath is set, nothing is changed: it says
where you add the line.

  show     Whether it is installed, and where. The default.
  install  Puts it in.
  remove   Takes it out again.`;

export const hook = defineCommand({
  name: "hook",
  summary: "have git run opencode-gaia check before each commit; take it out again",
  help: HELP,
  options: {},
  words: 1,
  async run(_given, { print, from: directory }, [action = "show"]) {
    if (!["show", "install", "remove"].includes(action)) throw misuse("hook", `There is no "${action}".`);
    const project = findProject(directory, repositoryRoot(directory));
    const found = await findCommitHook(project);
    if (found.kind === "none") {
      print(found.why);
      return action === "show" ? 0 : 1;
    }
    const { path, isInstalled } = found.hook;
    if (action === "install") await installCommitHook(found.hook);
    if (action === "remove") await removeCommitHook(found.hook);
    const was = {
      show: isInstalled ? "Installed" : "Not installed",
      install: "Installed",
      remove: "Not installed any more",
    };
    print(`${was[action as keyof typeof was]}: ${path}`);
    return 0;
  },
});
