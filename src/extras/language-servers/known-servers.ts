import { isRecord, type JsonRecord, listOf, recordOf, textOf } from "../../lib/json.ts";

/** A language server that may be there, and the files that it knows about. */
export interface ServerEntry {
  readonly language: string;
  /** What its files are called in the protocol, by their ending without the dot. */
  readonly languageIds: ReadonlyMap<string, string>;
  /** A folder with one of these is where its projects begin. */
  readonly roots: readonly string[];
  /** Command lines, of which the first is taken whose program is there. */
  readonly commands: readonly (readonly string[])[];
  /** What a person runs or installs to have it. */
  readonly install: string;
  readonly environment: Readonly<Record<string, string>>;
  readonly initialization: unknown;
}

/** language | endings (`=` names what is called differently) | beginnings of projects | command lines | to install it */
const TABLE = `
typescript | ts=typescript mts=typescript cts=typescript tsx=typescriptreact js=javascript mjs=javascript cjs=javascript jsx=javascriptreact | tsconfig.json jsconfig.json package.json | typescript-language-server --stdio | npm install -D typescript-language-server typescript
python | py=python pyi=python | pyrightconfig.json pyproject.toml setup.py setup.cfg requirements.txt Pipfile | pyright-langserver --stdio, basedpyright-langserver --stdio, pylsp | npm install -D pyright
go | go | go.work go.mod | gopls | go install golang.org/x/tools/gopls@latest
rust | rs=rust | Cargo.toml | rust-analyzer | rustup component add rust-analyzer
c | c h=c cc=cpp cpp=cpp cxx=cpp hh=cpp hpp=cpp hxx=cpp m=objective-c mm=objective-cpp | compile_commands.json compile_flags.txt .clangd CMakeLists.txt Makefile | clangd --use-dirty-headers | clangd, from your system's packages
ruby | rb=ruby rake=ruby | Gemfile .ruby-version | ruby-lsp, solargraph stdio | gem install ruby-lsp
java | java | pom.xml build.gradle build.gradle.kts settings.gradle .project | jdtls | jdtls, from https://github.com/eclipse-jdtls/eclipse.jdt.ls
kotlin | kt=kotlin kts=kotlin | settings.gradle.kts settings.gradle build.gradle.kts pom.xml | kotlin-language-server | kotlin-language-server, from https://github.com/fwcd/kotlin-language-server
csharp | cs=csharp | *.sln *.csproj | csharp-ls | dotnet tool install --global csharp-ls
php | php | composer.json | intelephense --stdio, phpactor language-server | npm install -g intelephense
lua | lua | .luarc.json .luarc.jsonc | lua-language-server | lua-language-server, from https://luals.github.io
shell | sh=shellscript bash=shellscript zsh=shellscript |  | bash-language-server start | npm install -D bash-language-server
yaml | yaml yml=yaml |  | yaml-language-server --stdio | npm install -D yaml-language-server
svelte | svelte | package.json | svelteserver --stdio | npm install -D svelte-language-server
zig | zig | build.zig | zls | zls, from https://github.com/zigtools/zls
elixir | ex=elixir exs=elixir | mix.exs | elixir-ls, language_server.sh | elixir-ls, from https://github.com/elixir-lsp/elixir-ls
haskell | hs=haskell | stack.yaml cabal.project *.cabal | haskell-language-server-wrapper --lsp | ghcup install hls
swift | swift | Package.swift | sourcekit-lsp | sourcekit-lsp, which comes with Swift
dart | dart | pubspec.yaml | dart language-server | Dart, from https://dart.dev
ocaml | ml=ocaml mli=ocaml.interface | dune-project dune-workspace | ocamllsp | opam install ocaml-lsp-server
terraform | tf=terraform tfvars=terraform-vars | .terraform.lock.hcl | terraform-ls serve | terraform-ls, from https://github.com/hashicorp/terraform-ls`;

/** What a server has to be told at its start to answer for the whole project. */
const INITIALIZATION: Readonly<Record<string, unknown>> = {
  // Its second server answers while the first one reads the project in, and knows one file only.
  typescript: { tsserver: { useSyntaxServer: "never" } },
};

/** The servers that are looked for where nobody has configured one, in no particular order. */
export const SERVERS: readonly ServerEntry[] = TABLE.trim()
  .split("\n")
  .map((line) => {
    const [language = "", endings = "", roots = "", commands = "", install = ""] = line
      .split("|")
      .map((field) => field.trim());
    const languageIds = words(endings).map((pair): [string, string] => {
      const [ending = "", id = ending] = pair.split("=");
      return [ending, id];
    });
    return {
      language,
      languageIds: new Map(languageIds),
      roots: words(roots),
      commands: commands.split(",").map(words),
      install,
      environment: {},
      initialization: INITIALIZATION[language],
    };
  });

function words(text: string): string[] {
  return text.split(" ").filter(Boolean);
}

/** The ending of a file's name, without its dot and in lower case; "" for none. */
export function endingOf(path: string): string {
  return /\.([^./\\]+)$/.exec(path)?.[1]?.toLowerCase() ?? "";
}

/** The server for files like this one; undefined where none is known. */
export function entryFor(path: string, servers: readonly ServerEntry[]): ServerEntry | undefined {
  return servers.find(({ languageIds }) => languageIds.has(endingOf(path)));
}

/**
 * The servers in `lsp` of OpenCode's configuration. One that is called like a language or a program of the table, and names
 * no endings of its own, is for what the table says.
 * @param settings the strongest last
 */
export function readConfigured(settings: readonly JsonRecord[]): ServerEntry[] {
  const merged = Object.assign({}, ...settings.map(({ lsp }) => recordOf(lsp))) as JsonRecord;
  return Object.entries(merged).flatMap(([name, given]) => {
    const { disabled, command: wanted, extensions, env, initialization } = recordOf(given);
    const command = listOf(wanted).flatMap((word) => textOf(word) ?? []);
    const program = command[0]?.split(/[/\\]/).at(-1) ?? "";
    const known = SERVERS.find(
      ({ language, commands }) =>
        language === name || commands.some(([each = ""]) => each === name || each === program),
    );
    const endings = listOf(extensions).flatMap(
      (each) => textOf(each)?.replace(/^\./, "").toLowerCase() ?? [],
    );
    if (disabled === true || command.length === 0 || (known === undefined && endings.length === 0)) return [];
    const idOf = (ending: string): string =>
      SERVERS.flatMap(({ languageIds }) => languageIds.get(ending) ?? [])[0] ?? ending;
    const own = new Map(endings.map((ending) => [ending, idOf(ending)]));
    const environment = Object.entries(recordOf(env)).filter(([, value]) => typeof value === "string");
    const entry: ServerEntry = {
      language: known?.language ?? name,
      languageIds: endings.length === 0 ? (known?.languageIds ?? own) : own,
      roots: known?.roots ?? [],
      commands: [command],
      install: `its program is named under lsp.${name} of your opencode.json`,
      environment: Object.fromEntries(environment) as Record<string, string>,
      initialization: isRecord(initialization) ? initialization : known?.initialization,
    };
    return [entry];
  });
}
