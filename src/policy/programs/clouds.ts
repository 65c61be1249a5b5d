import { textOf } from "../shell/arg.ts";
import type { Program } from "./program.ts";
import { orVersion, withVerbs } from "./subcommands.ts";

const words = (text: string): string[] => text.trim().split(/\s*,\s*/u);

/** `-o` and its like write files; `--kubeconfig` and `-H` could name a program or another machine. */
const kubectl = withVerbs({
  verbs: words(
    "get, describe, logs, top, explain, version, api-resources, api-versions, config view, config get-contexts, config current-context, config get-clusters, auth can-i, auth whoami, rollout status, rollout history, events, cluster-info",
  ),
  globals: /^(?:-n|--namespace|--context|--cluster|--request-timeout)$/u,
  refused:
    /^-(?:s|-(?:kubeconfig|token|server|as|raw|cache-dir|profile|log-file|log-dir|client-|output-directory))/u,
});

const docker = withVerbs({
  verbs: words(
    "ps, images, inspect, logs, version, info, top, port, diff, history, stats, image ls, image list, image inspect, image history, container ls, container list, container inspect, container logs, container top, container port, network ls, network inspect, volume ls, volume inspect, system df, system info, context ls, context show, compose ps, compose logs, compose ls, compose images, compose top, compose version, node ls, service ls",
  ),
  globals: /^(?:-f|--file|-p|--project-name|--profile|--project-directory)$/u,
  refused: /^(?:-H|--host|--config|-c|--context)/u,
});

/** `--web` starts a browser; `gh api` asks only while it is given no field, body or method. */
const gh = withVerbs({
  verbs: words(
    "pr list, pr view, pr diff, pr status, pr checks, issue list, issue view, issue status, run list, run view, repo view, repo list, release list, release view, workflow list, workflow view, label list, search, status, auth status, gist list, cache list, api",
  ),
  globals: /^(?:-R|--repo)$/u,
  refused:
    /^(?:--web|-[a-zA-Z]*w|--show-token|-t|-X|--method|-f|-F|--field|--raw-field|--input|--cache|--hostname|-[fFX].+|--(?:method|field|raw-field|input|cache|hostname)=.*)$/u,
});

const terraform = withVerbs({
  verbs: words("version, state list, state show, workspace list, workspace show"),
  refused: /^-(?:chdir|plugin-dir)/u,
});

const jj = withVerbs({
  verbs: words(
    "log, status, st, diff, show, evolog, obslog, interdiff, root, op log, operation log, op show, bookmark list, b list, branch list, file list, file show, file annotate, file search, config list, config get, config path, workspace list, workspace root, tag list, git remote list, version, help",
  ),
  globals: /^(?:-R|--repository|--color|--at-op|--at-operation)$/u,
  flags: /^--(?:no-pager|ignore-working-copy|quiet)$/u,
  refused: /^--(?:conf|too)/u,
  bare: true,
});

const systemctl = withVerbs({
  verbs: words(
    "status, show, cat, list-units, list-unit-files, list-timers, list-sockets, list-dependencies, is-active, is-enabled, is-failed, get-default",
  ),
  flags: /^--(?:user|system|no-pager|all|failed)$/u,
  refused: /^(?:-H|--host|-M|--machine)/u,
});

const dpkg: Program = ({ args }) => {
  const [mode, ...names] = args.map((arg) => textOf(arg) ?? "-");
  const asks = /^-[lLsS]$/u.test(mode ?? "") && names.every((name) => !name.startsWith("-"));
  return asks ? undefined : "dpkg changes packages";
};

const packages: readonly (readonly [string, Program])[] = [
  [
    "apt",
    withVerbs({ verbs: ["list", "show", "search", "policy"], refused: /^(?:-o|-c|--option|--config)/u }),
  ],
  [
    "apt-cache",
    withVerbs({
      verbs: ["policy", "show", "search", "depends", "rdepends", "madison"],
      refused: /^(?:-o|-c|--option|--config)/u,
    }),
  ],
  [
    "brew",
    withVerbs({ verbs: ["list", "ls", "info", "deps", "uses", "leaves", "config"], refused: /^--github/u }),
  ],
  ["dpkg", dpkg],
];

/** Command lines of services and package managers, with the verbs that only ask. */
export const clouds: ReadonlyMap<string, Program> = new Map<string, Program>([
  ["kubectl", orVersion(kubectl)],
  ["docker", orVersion(docker)],
  ["podman", orVersion(docker)],
  ["gh", orVersion(gh)],
  ["terraform", orVersion(terraform)],
  ["tofu", orVersion(terraform)],
  ["jj", orVersion(jj)],
  ["systemctl", orVersion(systemctl)],
  ...packages.map(([name, program]): [string, Program] => [name, orVersion(program)]),
]);
