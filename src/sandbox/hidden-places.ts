import { accessSync, constants, readdirSync, realpathSync, statSync } from "node:fs";
import { join } from "node:path";
import { USER_FOLDERS, userFolder } from "../lib/folders.ts";
import { isSensitivePath } from "../policy/sensitive-path.ts";

type Environment = Readonly<Record<string, string | undefined>>;

/** Files and folders below a home that hold keys, credentials or what a person did, or lead to a program that has them. */
const IN_HOME = words(`
  .ssh .gnupg .aws .azure .kube .docker .terraform.d .password-store .1password .fly .colima .lima .orbstack .rd
  .config/gcloud .config/gh .config/op .config/hub .config/rclone .config/doctl .config/hcloud .config/helm
  .config/containers/auth.json .config/git/credentials .config/google-chrome .config/chromium
  .config/BraveSoftware .mozilla .thunderbird .local/share/keyrings .local/share/containers
  Library/Keychains Library/Cookies .netrc .npmrc .yarnrc.yml .pypirc .pgpass .my.cnf .git-credentials
  .cargo/credentials .cargo/credentials.toml .gem/credentials .m2/settings.xml .m2/settings-security.xml
  .gradle/gradle.properties .s3cfg .boto .vault-token .terraformrc .codex .claude .claude.json .gemini
  .bash_history .zsh_history .node_repl_history .psql_history`);
/** The same of a system, for those who work as its administrator, and sockets of services that act for anyone. */
const IN_SYSTEM = words(`
  /etc/shadow /etc/shadow- /etc/gshadow /etc/sudoers /etc/sudoers.d /etc/ssl/private
  /nix/var/nix/daemon-socket /var/snap/lxd/common/lxd /var/lib/incus /var/lib/lxd`);
/** Variables that name a file with credentials, or a socket. */
const NAMED = words(`
  SSH_AUTH_SOCK KUBECONFIG NETRC PGPASSFILE NPM_CONFIG_USERCONFIG npm_config_userconfig
  GOOGLE_APPLICATION_CREDENTIALS AWS_SHARED_CREDENTIALS_FILE OPENCODE_CONFIG OPENCODE_CONFIG_DIR`);

/** What is hidden from contained commands, as far as it exists. */
export type HiddenPlaces = ReturnType<typeof findHiddenPlaces>;

/**
 * Keys, credentials and the user's own settings of OpenCode and of this plugin, where they lie on this machine.
 * @param allow the user's `policy.allowSensitive`
 */
export function findHiddenPlaces(environment: Environment, home: string, allow: readonly string[] = []) {
  const roots = USER_FOLDERS.filter((kind) => kind !== "cache").map((kind) =>
    userFolder(kind, environment, home),
  );
  const own = roots.flatMap((root) => [join(root, "opencode"), join(root, "opencode-gaia")]);
  const named = NAMED.flatMap((name) => (environment[name] ?? "").split(":")).filter((path) =>
    path.startsWith("/"),
  );
  // One that the user opened is a file, and their own words name it.
  const isOpened = (path: string): boolean =>
    allow.length > 0 && isSensitivePath(path) && !isSensitivePath(path, allow);
  // What one may not read is hidden by the system.
  const system = IN_SYSTEM.filter((path) => mayAccess(path, constants.R_OK));
  const places = [...IN_HOME.map((path) => join(home, path)), ...system, ...named, ...own];
  const found = places.filter((path) => !isOpened(path)).flatMap((path) => placeAt(path) ?? []);
  const data = join(userFolder("data", environment, home), "opencode");
  return {
    ...parted(found),
    // Below them, and read all the same: where OpenCode keeps long outputs, which its agents are told to search, and the hashes by which a commit hook knows
    // what the user said yes to; and the work that stands on units' branches.
    shown: [
      join(data, "tool-output"),
      join(`${data}-gaia`, "trust.json"),
      ...unitsBelow(join(`${data}-gaia`, "worktree")),
    ].flatMap((path) => placeAt(path)?.path ?? []),
  };
}

function unitsBelow(folder: string): string[] {
  try {
    return readdirSync(folder).map((name) => join(folder, name, "units"));
  } catch {
    return []; // There are no worktrees.
  }
}

/** Folders, and what is none. */
export function parted(places: readonly { readonly path: string; readonly isFolder: boolean }[]) {
  const of = (wanted: boolean): string[] =>
    unique(places.filter(({ isFolder }) => isFolder === wanted).map(({ path }) => path));
  return { folders: of(true), files: of(false) };
}

/** A place by its real path, since nothing can be put on a link; null where there is nothing. */
export function placeAt(path: string): { path: string; isFolder: boolean } | null {
  try {
    // Most of what is asked for is not there, and an error costs more than the answer.
    const found = statSync(path, { throwIfNoEntry: false });
    return found === undefined ? null : { path: realpathSync.native(path), isFolder: found.isDirectory() };
  } catch {
    return null;
  }
}

/** The real paths of those that are there. */
export function existingPaths(paths: readonly string[]): string[] {
  return unique(paths.flatMap((path) => placeAt(path)?.path ?? []));
}

export function mayAccess(path: string, mode: number): boolean {
  try {
    accessSync(path, mode);
    return true;
  } catch {
    return false;
  }
}

function unique(paths: readonly string[]): string[] {
  return [...new Set(paths)].filter((path) => path !== "/");
}

/** Names between blanks. */
export function words(text: string): string[] {
  return text.trim().split(/\s+/u);
}
