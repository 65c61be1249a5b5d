/** One command of sbt's. */
const SBT = String.raw`(?:[\w.-]+\/)?(?:(?:[tT]est|it)\s?[:/]\s?)?(?:clean|test|testOnly|testQuick|compile|scalafmt(?:Sbt)?Check\w*|headerCheck\w*|mima\w+|evicted|dependencyTree|project|scalafix(?:All)?\s--check|doc|coverage\w*|package)(?:\s[\w.*\s-]+)?`;

/** Tools of languages that are compiled, of builds, of texts and of what describes services. */
export const COMPILED = String.raw`
  cargo test|t|check|c|clippy|build|b|doc|bench|audit|deny|machete|udeps|semver-checks|tarpaulin|llvm-cov|rustdoc|tree|outdated|metadata|expand|bloat|kani|mutants|vet|geiger|package|criterion|locate-project !--config|--open =--manifest-path|-p|-F|-j
  cargo miri|nextest|hack|insta|kani test|run|list|check|clippy|setup|build|nextest !--config|--review|--unreferenced=delete|--unreferenced=auto
  cargo make|leptos|careful|component|minimal-versions|fuzz|public-api|msrv|spellcheck|tauri test|check|lint|ci|clippy|build|verify|diff
  mage|cross|anchor test|check|lint|build =--target
  cargo xtask test|check|lint|ci|clippy|build
  cargo fmt|sort +--check
  cargo publish +--dry-run|-n !--index|--registry|--token|--config
  rustfmt|leptosfmt +--check
  taplo lint|check
  wasm-pack|trunk test|build
  go test|vet|build !-toolexec|-vettool|-overlay|-modfile|-fix >-o|-coverprofile|-cpuprofile|-memprofile|-blockprofile|-mutexprofile|-trace|-outputdir =-C|-run|-tags
  go mod verify|graph|why
  go mod tidy +-diff
  go tool cover ?-func
  gofmt|gofumpt|goimports +-l|-d !-w
  staticcheck|nilaway|deadcode|tparse|errcheck|revive|golint|ineffassign|gosec|govulncheck|unconvert|misspell !-w
  golangci-lint run|linters|config
  gci diff|list
  goreleaser check|healthcheck
  goreleaser build +--snapshot !-o|--output
  importmap audit|outdated
  sqlc vet|diff|compile
  gotestsum|ginkgo|richgo >--junitfile|--jsonfile|-coverprofile !--watch|--post-run-command @(?!(?:generate|bootstrap|watch|tool)$).*

  mvn|mvnw|mvnd !-f|-s|-gs|--settings|-Dexec|-Dmaven.ext =-pl|-P|-T|-rf @(?!.*(?:flyway|liquibase):)(?:[\w.-]+:)*(?:clean|validate|compile|test-compile|test|package|verify|integration-test|check|enforce|spotbugs|pmd|tree|analyze|checkstyle|report|dryRun|effective-pom|effective-settings|active-profiles|display-[\w-]+|javadoc)
  gradle|gradlew|gradlew.bat !-I|-b|-c|--write-locks|-M|--write-verification-metadata|--update-locks =-x|--tests|-p|--configuration|--task|--console|--dependency @(?:[\w.-]*:)*(?:(?:\w+T|t|cleanT)est(?!Fixtures)\w*|\w*Check|check(?!out)\w*|build|assemble\w*|compile\w*|\w*[cC]lasses|clean|lint(?!Fix)\w*|detekt(?!Baseline)\w*|spotbugs\w*|pmd\w*|checkstyle\w*|jacoco\w*|verify(?:Roborazzi|Paparazzi)?\w*|koverVerify\w*|dependencyCheckAnalyze|javadoc|jar|dependencies|tasks|allTests|dokka\w*|projects|properties|help|dependencyUpdates|dependencyInsight|buildEnvironment|kover\w*Report\w*|validatePlugins|pitest|jmh|bootJar|shadowJar)
  sbt|sbtn @;?\s*${SBT}(?:\s*;\s*${SBT})*
  mill|amm @(?:mill\.scalalib\.scalafmt\.ScalafmtModule\/checkFormatAll|(?:[\w.-]+\.)?(?:compile|test|test\.(?:test\w*|compile)|checkFormat|testCached|__)|(?:[a-z]\w*\.)+[A-Z]\w*)
  scala-cli test|compile !-w|--watch
  scalafmt +--check|--test|--list !-i
  ktlint !-F|--format
  detekt|spotbugs|pmd|checkstyle|infer >-r|-o !--create-baseline|--auto-correct
  google-java-format +-n|--dry-run !-i
  lein test|check|kibit|eastwood|compile|cloverage|ancient|deps
  lein with-profile @(?:with-profile|[+,\w-]*(?:dev|test|ci)[+,\w-]*|test|check|kibit|eastwood)
  lein cljfmt check
  clj|clojure ?-M:test|-X:test|-M:test:runner|-M:lint|-M:check|-M:kondo|-M:clj-kondo|-M:eastwood
  clj-kondo ?--lint
  cljfmt check
  ant @(?:[\w-]+[.-])?(?:tests?|check\w*|compile|build|clean|lint|verify|jar)

  dotnet test|build|vstest|list|msbuild|pack !-t(?:arget)?:(?!Rebuild$)(?!Build$)(?!Clean$).*|-p:Publish.*|-p:Deploy.* =-c|--configuration|-f|-l|--logger|-v|--filter|-s >-o @(?!/(?:t|target):(?!(?:Re)?[bB]uild$|[cC]lean$)|/p:(?:Publish|Deploy)).*
  dotnet restore !--force-evaluate|-f|--use-lock-file
  dotnet jb inspectcode >-o
  dotnet ef migrations @ef|migrations|has-pending-model-changes|list
  msbuild !-t(?:arget)?:(?!Rebuild$)(?!Build$)(?!Clean$).*|-p:Publish.*|-p:Deploy.* @(?!/(?:t|target):(?!(?:Re)?[bB]uild$|[cC]lean$)|/p:(?:Publish|Deploy)).*
  dotnet stryker >-O|--output
  dotnet fantomas +--check
  dotnet format|csharpier +--verify-no-changes|--check|check
  cmake ?--build @(?!(?:install|package_source|\w*(?:deploy|publish|upload))$).* !--target=install =-j
  cmake ?--list-presets
  cmake ?--preset !-P|-E|-C|--install =--preset
  cmake ?-B|-S !-P|-E|-C|--install =-S|-G|-D|-A >-B
  ctest !-S|-SP|-D|-M|-T|--build-and-test|--submit >-O
  meson test|compile !--wrapper|--gdb =-C
  meson setup @setup|\.{0,2}|(?:build|builddir|out|_build)[\w./-]* !--wipe
  ninja !-t|-f =-C|-j|-k|-l|-d|-w @(?!.*(?:install|deploy|publish|upload|fmt|format|update)).*
  clang-format +--dry-run|-n !-i
  scons|xmake|b2 @(?:tests?|check|build|lint) =-j
  lcov|genhtml|gcovr >-o|--html|--html-details|--xml|--json
  clang-tidy|include-what-you-use|iwyu_tool|run-clang-tidy|cppcheck|cpplint|oclint|scan-build !-export-fixes >-o
  gcc|g++|clang|clang++ ?-fsyntax-only !-wrapper|-fplugin=.*|-specs=.*
  bazel|bazelisk|buck2|pants test|build|check|lint|query|cquery|aquery|coverage !--run_under|--override_repository
  bazel|bazelisk run @run|(?:\/\/[\w/.-]*)?:(?:[\w-]+[._-])?(?:lint|checks?|tests?|verify)(?:[._-](?!fix|write)\w+)*
  bazel|bazelisk mod graph|deps|explain|show_repo
  bazel|bazelisk info|version
  earthly @\+(?:[\w-]+-)?(?:tests?|lint|check|build|ci|unit|verify)(?:-[\w-]+)? !--push
  nix flake check
  nix build ?--no-link !--impure|--option
  nix-build ?--no-out-link !--option
  zig build test|check|lint =--summary|-j|--seed !-p|--prefix|--build-file
  zig build @build =--summary|-j|--seed !-p|--prefix|--build-file
  zig test|ast-check

  mix test|lint|ci|quality|compile|credo|dialyzer|sobelow|xref|check|coveralls|coveralls.html|coveralls.json|hex.audit|deps.audit|hex.outdated|deps.tree|doctor|docs|phx.routes|ecto.migrations|boundary.spec|test.coverage @(?!gen).*
  mix gettext.extract +--check-up-to-date
  mix deps.unlock +--check-unused
  mix format +--check-formatted
  rebar3 eunit|ct|compile|dialyzer|xref|proper|lint|cover|hank|elvis|tree|edoc
  rebar3 as test eunit|ct|compile|dialyzer|xref
  gleam test|check|build
  dart fix +--dry-run
  flutter build
  dart|flutter test|analyze|doctor !--update-goldens
  dart format +--output=none|--output=show
  swift test|build
  swift package describe|dump-package|show-dependencies
  swift package plugin !--allow-writing.*|--allow-network.*|--disable-sandbox
  dart run custom_lint
  dart pub outdated|deps
  dart pub publish +--dry-run|-n
  dart doc +--dry-run
  swift format lint
  swiftlint !--write-baseline @(?!autocorrect$).*
  swiftformat +--lint|--dryrun
  xcodebuild ?-list|-showBuildSettings|-showdestinations|-version|-checkFirstLaunchStatus !-exportArchive|-archivePath =-scheme|-project|-workspace|-configuration|-sdk
  pod lib|spec lint
  tuist test|build|inspect
  xcodebuild @+test|build|analyze|clean|build-for-testing|test-without-building|[A-Z][A-Z_]+=[\w.-]* =-scheme|-project|-workspace|-destination|-configuration|-sdk !-exportArchive|-archivePath >-derivedDataPath|-resultBundlePath
  cabal|stack test|build|check|bench|haddock !--copy-bins|--file-watch|-w|--with-compiler
  hlint !--refactor
  nixfmt|alejandra|nixpkgs-fmt +--check|-c
  ormolu|fourmolu +--mode|-m !-i|--mode=inplace|-m=inplace =--mode|-m
  dune build|test|runtest !--auto-promote|--promote @(?!promote$|@install$).*
  julia ?-e @(?:using\s)?Pkg;\s?Pkg\.test\((?:"\w+")?\)
  Rscript|R ?-e @(?:devtools|testthat|rcmdcheck|lintr|covr)::(?:test|check|rcmdcheck|package_coverage|lint_package|lint_dir|test_local|test_dir|test_file|test_package|test_all)\((?:["'][\w./-]*["'])?\)
  nim check
  ghc ?-fno-code !-e|-F|-pgm.*|-fplugin.*
  crystal build ?--no-codegen
  testament all|pattern|category
  R CMD check|build
  perl|raku ?-c !-e|-i|-n|-p
  elm-test|elm-review !--fix|--fix-all
  elm-format +--validate
  elm make >--output
  shards build|check
  verilator ?--lint-only
  nimble test|check
  crystal spec
  v|odin|dub|mdbook test|vet|check
  mutmut|stryker run
  zola|jekyll|mdbook|vitepress|docusaurus build|check|doctor >-d|-o|--destination
  busted|luacheck|selene
  stylua|shfmt|buildifier +--check|-d|-l|--diff|--mode=check|-mode=check !-w|-i|--write
  prove|perlcritic !--exec|-e|--archive|-a
  luac ?-p
  zsh|fish ?-n|--no-execute !-c|--command
  yamlfmt +-lint|-dry
  opa fmt|format +--fail|--list|-l|--diff|-d !-w
  tfsec|kubeval|squawk|ameba|linkinator|stylish-haskell|deadnix !-i|-e|--edit|--inplace >-o|--out
  addlicense +-check
  kustomize build !-o|--output|--enable-.*
  terragrunt hclfmt|hcl +--terragrunt-check|--check
  terragrunt validate
  kube-score score
  pluto detect|detect-files
  oasdiff breaking|diff|changelog >-o
  atlas migrate @migrate|lint|validate
  iverilog ?-t @(?!.*[\\/]).*
  arduino-cli compile >--output-dir|--build-path !-u|--upload
  west build|twister !-t|--target =-b|-T >-d
  idf.py @+build|size|reconfigure =-B|-C|-D
  asciidoctor|latexmk >-o|-D|-outdir|-output-directory !-shell-escape|--shell-escape|-e|-r
  typst compile >3
  pwsh ?-c|-Command @(?:Invoke-Pester|Invoke-ScriptAnalyzer)(?:\s(?!-Fix)[\w./*:-]+)*
  ansible-playbook ?--syntax-check|--list-tasks|--list-hosts =-i|-e
  sam validate
  cdk synth|synthesize|list|ls !-a|--app|--plugin >-o|--output
  act ?-n|--dryrun|-l|--list
  docker compose config ?-q|--quiet =-f|--file|-p|--profile
  docker build|buildx ?--check
  elm-test|spago|forge test|build|coverage|inspect|lint !--ffi|--broadcast
  slither|solhint
  shellcheck|hadolint|actionlint|checkbashisms|bats|shellspec|zizmor|kubeconform|kube-linter|spectral|tflint|lychee|vale|xmllint|protolint >-o|--output !-i
  semgrep ?--config
  semgrep scan
  gitleaks detect|dir|git|protect >-r
  trufflehog filesystem|git @(?!https?:|ssh:|git@).*
  sqlfluff lint|parse >--write-output
  dbt parse|test|compile|ls|list !--store-failures
  buf lint|build|breaking >-o
  buf format +--diff|--exit-code|-d !-w
  terraform|tofu|packer validate
  helm lint|unittest !-u
  prisma validate
  graphql-codegen +--check
  rush change +--verify|-v
  turbo boundaries !--ignore
  yarn npm audit
  yarn constraints @(?!fix$).*
  yarn dedupe +--check
  just ?--fmt +--check
  moon query
  rush test|build|rebuild|lint|check|verify
  moon check|ci !-u
  moon run @run|(?:[\w-]+|[#~])?:(?:[\w-]+[-:])?(?:tests?|lint|checks?|typecheck|build|e2e|unit)(?:-[\w-]+)? !-u
  grunt|gulp|jake|wireit @(?:[\w-]+[:.-])*(?:tests?|lint|checks?|types?|typecheck|build|verify|validate)(?:[:.-](?!(?:fix|write)$)[\w-]+)*
`;
