import { join } from "node:path";
import { namesCredential } from "../lib/redaction.ts";
import type { ContainmentProfile, EnvironmentChange } from "./profile.ts";

type Environment = Readonly<Record<string, string | undefined>>;

/** Ways to programs that run outside of the containment: agents, buses, container engines, editors. */
const MESSENGERS =
  /^(?:SSH_AUTH_SOCK|SSH_AGENT_PID|GPG_AGENT_INFO|GPG_TTY|DBUS_.*|DISPLAY|WAYLAND_DISPLAY|XAUTHORITY|XDG_RUNTIME_DIR|DOCKER_.*|CONTAINER_HOST|PODMAN_.*|TMUX|TMUX_PANE|STY|VSCODE_.*|NVIM|NVIM_LISTEN_ADDRESS|GIT_ASKPASS|SSH_ASKPASS|SUDO_ASKPASS|OPENCODE_.*)$/u;
/** Names that sound secret and are settings. */
const SETTINGS = /^(?:npm_config_|GIT_CONFIG_(?:KEY|VALUE|COUNT))/u;
const SECRET_NAME = /KEY|TOKEN|SECRET|PASSW|CREDENTIAL|PRIVATE/iu;
/** Addresses of databases and their like, in which a user and a password stand. */
const WITH_PASSWORD =
  /^(?:[A-Z\d]+_)*(?:DATABASE|DB|POSTGRES(?:QL)?|PG|MYSQL|MONGO(?:DB)?|REDIS|AMQP|RABBITMQ|CLOUDAMQP|ELASTICSEARCH|SMTP|SENTRY)_(?:URL|URI|DSN)$|CONNECTION_STRING/u;
/** Tools' caches by the variable that names them: each is given one that no other program reads. */
const CACHES: Readonly<Record<string, string>> = {
  npm_config_cache: "npm",
  YARN_CACHE_FOLDER: "yarn",
  GOCACHE: "go-build",
  PIP_CACHE_DIR: "pip",
  UV_CACHE_DIR: "uv",
  DENO_DIR: "deno",
  COREPACK_HOME: "corepack",
  RUFF_CACHE_DIR: "ruff",
};

/**
 * What is different for a contained command: variables that hold secrets or lead to programs outside are gone, temporary
 * files go to the private folder, and caches apart from the user's are named.
 * @param temp the private folder as the command sees it
 */
export function environmentChange(
  environment: Environment,
  profile: ContainmentProfile,
  temp: string,
  caches: string,
): EnvironmentChange {
  const isRemoved = (name: string): boolean =>
    MESSENGERS.test(name) || (isSecretVariable(name) && !SETTINGS.test(name));
  const cacheVariables = profile.caches
    ? Object.entries(CACHES).map(([name, folder]) => [name, join(caches, folder)] as const)
    : [];
  return {
    set: {
      ...Object.fromEntries(["TMPDIR", "TMP", "TEMP"].map((name) => [name, temp])),
      ...Object.fromEntries(cacheVariables),
      // Git's own: `git status` does not try to write the index, which is read-only.
      GIT_OPTIONAL_LOCKS: "0",
      GAIA_CONTAINED: profile.network ? "network" : profile.project,
    },
    unset: Object.keys(environment).filter((name) => environment[name] !== undefined && isRemoved(name)),
  };
}

/** True for a variable that sounds as if it held a secret. */
function isSecretVariable(name: string): boolean {
  return SECRET_NAME.test(name) || WITH_PASSWORD.test(name) || namesCredential(name);
}
