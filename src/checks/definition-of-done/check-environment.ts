/**
 * What a check sees beside the environment of OpenCode itself, so that no program waits for a person:
 * `CI=1` (no watch mode, no update questions), no colours, no pager, no editor, and no password or download prompts
 * from git, pip, apt and corepack. `FORCE_COLOR` is removed, because it would win over `NO_COLOR`.
 */
export function checkEnvironment(inherited: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const { FORCE_COLOR: _dropped, ...kept } = inherited;
  return {
    ...kept,
    CI: "1",
    NO_COLOR: "1",
    TERM: "dumb",
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
