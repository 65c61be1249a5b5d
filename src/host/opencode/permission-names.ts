import type { PermissionNames } from "../hook-events.ts";

export const PERMISSION_NAMES: PermissionNames = {
  command: "bash",
  web: "webfetch",
  todos: "todowrite",
  outside: "external_directory",
  repetition: "doom_loop",
  malformed: "invalid",
  ownSkill: "customize-opencode",
};
