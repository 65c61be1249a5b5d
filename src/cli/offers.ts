import { parse } from "jsonc-parser";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { LIBRARIAN } from "../agents/registry.ts";
import type { ResolvedConfig } from "../config/schema.ts";
import { type LanguageReport, surveyServers } from "../extras/language-servers/find-server.ts";
import { readConfigured } from "../extras/language-servers/known-servers.ts";
import { systemClock } from "../lib/clock.ts";
import { repositoryRoot } from "../lib/find-project.ts";
import { type JsonRecord, recordOf } from "../lib/json.ts";
import { readText } from "../lib/read-source.ts";
import { realPathOf } from "../policy/real-path.ts";
import { usersSettings } from "../trust/options-origin.ts";
import { openVcs } from "../snapshot/vcs.ts";

/** The language servers for a project, as its sessions would start them. @param isContained whether servers would be contained */
export async function findLanguageServers(
  worktree: string,
  project: string,
  isContained: boolean,
  environment: NodeJS.ProcessEnv,
): Promise<readonly LanguageReport[]> {
  const { isIgnored } = openVcs(worktree, project);
  const home = realPathOf(project);
  return surveyServers({
    project: home,
    home,
    top: worktree,
    path: environment["PATH"] ?? "",
    configured: readConfigured(await usersSettings(systemClock, environment)),
    mayRun: async (path) => isContained || (await isIgnored(path.slice(home.length + 1))),
  });
}

/** Files that name the libraries of a project. */
const LIBRARY_FILES: ReadonlySet<string> = new Set([
  "package.json",
  "requirements.txt",
  "pyproject.toml",
  "Cargo.toml",
  "go.mod",
  "Gemfile",
  "pom.xml",
]);

/** Something that this project could have, and the lines or the command that add it: nothing is installed by itself. */
export interface SetupOffer {
  readonly what: string;
  readonly fix: string;
}

const CONTEXT7 = /context7/i;
const OURS = ".gaia/config.jsonc";

export interface OfferInput {
  /** Of the files in the project's folder. */
  readonly names: readonly string[];
  /** What opencode.json says, the user's and the project's. */
  readonly settings: readonly JsonRecord[];
  readonly config: Pick<ResolvedConfig, "code" | "ast" | "specialistTools" | "agents">;
  readonly languages: readonly LanguageReport[];
}

/** What fits the project and is not there. Pure. */
export function listOffers({ names, settings, config, languages }: OfferInput): SetupOffer[] {
  const isSet = (key: "lsp" | "formatter"): boolean =>
    settings.some(({ [key]: value = false }) => value !== false);
  const servers = settings.flatMap(({ mcp }) => Object.keys(recordOf(mcp)));
  const hasServer = servers.some((name) => CONTEXT7.test(name));
  const librarian = config.agents[LIBRARIAN] ?? {};
  const tools = [
    ...config.specialistTools,
    ...(librarian.toolbox?.tools ?? []),
    ...Object.keys(librarian.permission ?? {}),
  ];
  const isOpen = tools.some((name) => name === "*" || CONTEXT7.test(name));
  const missing = languages.filter(({ program }) => program === null);
  const addServer =
    'In opencode.json: "mcp": { "context7": { "type": "remote", "url": "https://mcp.context7.com/mcp" } }; ';
  const offers: readonly (SetupOffer & { readonly fits: boolean })[] = [
    {
      fits: isSet("lsp"),
      what: "OpenCode runs its language servers outside of the sandbox, so you are asked for each edit and command that changes something, in autopilot too.",
      fix: 'In opencode.json: "lsp": false (GAIA\'s own, "code": "on", run in the sandbox); or in your own gaia.jsonc: "policy": { "allow": ["GAIA_SANDBOX=off lsp *"] }',
    },
    {
      fits: isSet("formatter"),
      what: "OpenCode runs its formatters outside of the sandbox, so you are asked for each edit of such a file, in autopilot too.",
      fix: 'In opencode.json: "formatter": false; or, of one that is no program in the project, in your own gaia.jsonc: "policy": { "allow": ["GAIA_SANDBOX=off prettier *"] }',
    },
    {
      fits: config.code === "off" && languages.length > 0,
      what: `Specialists ask no language server for ${languages.map(({ language }) => language).join(", ")}.`,
      fix: [`In ${OURS}: "code": "on"`, ...missing.map(({ install }) => `and install: ${install}`)].join(
        "; ",
      ),
    },
    {
      fits: config.ast === "off" && languages.length > 0,
      what: "Specialists do not search and rewrite code by its structure.",
      fix: `In ${OURS}: "ast": "on"; and install, where it is not there: npm install -D @ast-grep/cli`,
    },
    {
      fits: names.some((name) => LIBRARY_FILES.has(name)) && !(hasServer && isOpen),
      what: `${LIBRARIAN} has no documentation of the libraries that are used (Context7).`,
      fix: `${hasServer ? "" : addServer}in ${OURS}: "agents": { "${LIBRARIAN}": { "toolbox": { "tools": ["context7_*"] } } }`,
    },
  ];
  return offers.flatMap(({ fits, what, fix }) => (fits ? [{ what, fix }] : []));
}

export async function findOffers(
  project: string,
  environment: NodeJS.ProcessEnv,
  config: OfferInput["config"],
  languages?: readonly LanguageReport[],
): Promise<SetupOffer[]> {
  const own = ["opencode.json", "opencode.jsonc"].map(async (name) =>
    recordOf(parse(await readText(join(project, name)))),
  );
  return listOffers({
    names: await readdir(project).catch(() => []),
    settings: [...(await usersSettings(systemClock, environment)), ...(await Promise.all(own))],
    config,
    languages: languages ?? (await findLanguageServers(repositoryRoot(project), project, false, environment)),
  });
}
