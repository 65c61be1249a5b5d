/**
 * What a check sees: the environment of OpenCode itself, `CI` and settings of colours included, so that it runs as it does for
 * people. `TERM` names a terminal wherever there is one. Beside that no program waits for a person: no pager, no editor, and
 * no password or download prompts from git, pip, apt and corepack. Standard input is empty, so that runners of tests do not watch.
 */
export function checkEnvironment(inherited: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const { TERM } = inherited;
  return {
    ...inherited,
    TERM: TERM === undefined || TERM === "" || TERM === "dumb" ? "xterm-256color" : TERM,
    PAGER: "cat",
    GIT_PAGER: "cat",
    GIT_EDITOR: "true",
    GIT_TERMINAL_PROMPT: "0",
    SSH_ASKPASS_REQUIRE: "never",
    DEBIAN_FRONTEND: "noninteractive",
    PIP_NO_INPUT: "1",
    COREPACK_ENABLE_DOWNLOAD_PROMPT: "0",
  };
}
