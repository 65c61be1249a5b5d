/** One command of sbt's. */
const SBT = String.raw`(?:[\w.-]+\/)?(?:(?:[tT]est|it)[:/])?(?:clean|test|testOnly|testQuick|compile|scalafmt(?:Sbt)?Check\w*|project|scalafixAll\s--check|doc|coverage\w*|package)(?:\s[\w.*\s-]+)?`;

/**
 * Tools that check, one line for each way to have them do so: `names verbs… marks…`. A tool that is here and fits none of
 * its lines may do anything.
 *
 * - names and verbs: alternatives between `|`; the verbs are the first operands, in this order
 * - `+--check|-c`: without one of these options or operands, it changes what it looks at
 * - `?--test|-c`: without one of these, it does something else
 * - `!--init|-u`: these make it write, besides those that do so with every tool
 * - `>-o`: these options name an output, besides those that do so with every tool; with `>2` the second operand does
 * - `=-C|-p`: these options take the next word, which is then no operand
 * - `@regex`: every operand is like this; with `@+` there has to be one, for the tool would run what it is fed
 * - `&`: what stands behind the first operand is handed on to it
 */
export const TOOLS = String.raw`
  tsc|vue-tsc|glint !--init|-w|--watch
  tsd|attw|publint|knip|depcheck|madge|dpdm|size-limit|ts-prune|type-coverage|depcruise|dependency-cruiser|svelte-check|unimported|sherif|arethetypeswrong|bundlesize|lit-analyzer|expo-doctor|license-checker|pa11y-ci !-i|--allow-remove-files|-f
  eslint|standard|semistandard|xo|tslint|jshint|stylelint|oxlint|htmlhint >-o !-p
  markdownlint|markdownlint-cli2|commitlint !-f
  vitest @(?!(?:init|dev|watch)$).* !-u|--ui|--watch
  jest|mocha|ava|tap|tape|jasmine|uvu|qunit|japa|wtr !-u|--watch
  react-scripts|craco test|build !-u
  karma start
  playwright test !-u
  cypress run|verify|info
  wdio|codeceptjs run|dry-run @(?!.*:\/\/).*
  xcbeautify|gotestfmt|tap-spec|tap-dot|tap-difflet|tap-summary|tap-nyan|faucet|pino-pretty @$
  xcpretty >-o|--output !-r|--report @$
  hardhat|truffle test|compile|coverage
  ng test|lint|build|e2e
  next lint|build
  vite|astro|nuxt|nuxi|remix|gatsby|nest|storybook|parcel|react-native build|check|typecheck|vite:build|doctor|lint >-d
  esbuild ?--bundle >--outfile|--outdir !--serve|--watch
  html-validate|secretlint|textlint|jsonlint|web-test-runner|test-storybook|ls-lint|editorconfig-checker|cfn-lint|proselint !-i
  ember|stencil|lage|wsrun|manypkg|pio|platformio|hanami|melos|scarb|snforge|anchor|conftest|opa|snyk|molecule test|check|lint|typecheck
  redocly|spectral lint >-o
  remark ?-f|--frail !-o|--output
  eslint-config-prettier|licensee
  api-extractor run !-l|--local
  changeset status >-o|--output
  web-ext lint
  ajv|swagger-cli validate|test|compile
  syncpack list|list-mismatches|lint
  tsx|ts-node ?--test !-e|-p|--eval|--print|--watch
  tsup|unbuild|rollup|webpack|tsdown >-o|-d !-w|--watch
  prettier !-w
  oxfmt|dprint +--check|-c|--list-different|check
  biome check|lint|ci|format
  cspell !-i @(?!(?:init|link)$).*
  node ?--test|--check|-c !-e|-p|--eval|--print|--watch|--loader|--experimental-loader|--env-file|--import=[./].*|--require=[./].* =--import|-r|--require|--test-reporter|--test-name-pattern
  deno test|lint|check|bench !--reload|-r|--watch
  deno fmt +--check
  deno doc ?--lint
  deno publish +--dry-run
  bun test !-u|--preload|--watch =--cwd|-t|--timeout

  pytest|pytest-3|py.test !-o|--inline-snapshot|--override-ini|--regen-all|--force-regen|--pdb|-p=(?!no:).* =-p|-k|-m|-c
  green|stestr|nosetests|robot|ward|tabnanny|xenon|radon|doc8|rstcheck|pyroma|pip-licenses|pytype|bashate|detect-secrets|gitlint|osv-scanner|grype|syft|pgspot >-o|--output-file|-d !-i
  trivy fs|config|repo
  checkov !--output-file-path
  mkdocs build >-d|--site-dir
  sphinx-build ?-b|--builder|-M >2|-d|-w !-C =-b|--builder|-M|-c|-D|-A|-j|-t
  hugo @$ >-d|--destination|--cacheDir !-w|--watch|--cleanDestinationDir =-s|-e|--environment|-b|--baseURL|-c|--contentDir|--logLevel
  hugo build|config|list >-d|--destination|--cacheDir !-w|--watch|--cleanDestinationDir =-s|-e|--environment|-b|--baseURL|-c|--contentDir|--logLevel
  unittest|doctest|compileall|py_compile|nose2|behave|vulture|lint-imports|deptry|interrogate|pydocstyle|pycodestyle|pyflakes
  mypy|dmypy|pyright|basedpyright|pyre|ty !--createstub|--writebaseline|-w
  flake8|pylint|bandit|pip-audit|djlint|yamllint|ansible-lint|safety >-o !--reformat
  codespell|typos !-w|-i
  ruff check|rule|linter >-o
  ruff format +--check|--diff
  black|yapf|autopep8|autoflake|docformatter +--check|--diff|-d|-c !-i
  isort +--check|--check-only|-c|--diff
  tox !-e=.*fix.*|-e=.*fmt.*|-e=.*format.*|-e=.*release.*|-e=.*publish.*|-e=.*deploy.* @(?!(?:devenv|exec|e|quickstart)$).* =-e
  nox !--install-only|-s=.*fix.*|-s=.*fmt.*|-s=.*format.*|-s=.*release.*|-s=.*publish.*|-s=.*deploy.* =-s
  coverage report|html|xml|json|lcov|combine|erase >-o|-d =--omit|--include
  pip|pip3 check
  manage.py|django-admin test|check|validate
  manage.py makemigrations|migrate +--check
  setup.py test|check
  poetry|uv|pdm lock +--check|--locked
  uv sync +--check|--dry-run
  poetry|pdm|hatch|uv|flit build >-o|--out-dir|--output
  hatch fmt +--check
  poetry|uv|rye|hatch|pixi check|test
  rye|hatch lint
  twine check
  pre-commit|prek validate-config|validate-manifest
  trailing-whitespace|end-of-file-fixer|mixed-line-ending|fix-byte-order-marker|requirements-txt-fixer|pyupgrade|add-trailing-comma +--check
  invoke|inv|doit @(?:[\w-]+[.:-])*(?:tests?|lint|checks?|types?|mypy|coverage|build)(?:[.:-][\w-]+)*

  cargo test|t|check|c|clippy|build|b|doc|bench|audit|deny|machete|udeps|semver-checks|tarpaulin|llvm-cov|rustdoc|tree|outdated|metadata|expand|bloat|kani|mutants|vet|geiger !--config|--open =--manifest-path|-p|-F|-j
  cargo miri|nextest|hack|insta|kani test|run|list|check|clippy|setup|build|nextest !--config|--review
  cargo make|leptos|careful|component|minimal-versions|fuzz|public-api|msrv|spellcheck|tauri test|check|lint|ci|clippy|build|verify|diff
  mage|cross test|check|lint|build =--target
  cargo xtask test|check|lint|ci|clippy|build
  cargo fmt|sort +--check
  rustfmt|leptosfmt +--check
  taplo lint|check
  taplo fmt|format +--check
  wasm-pack|trunk test|build
  go test|vet|build !-toolexec|-vettool|-overlay|-modfile|-fix >-o|-coverprofile|-cpuprofile|-memprofile|-blockprofile|-mutexprofile|-trace|-outputdir =-C|-run|-tags
  go mod verify|graph|why
  go mod tidy +-diff
  go tool cover ?-func
  gofmt|gofumpt|goimports +-l|-d !-w
  staticcheck|nilaway|deadcode|tparse|errcheck|revive|golint|ineffassign|gosec|govulncheck|unconvert|misspell !-w
  golangci-lint run|linters|config
  golangci-lint fmt +--diff
  sqlc vet|diff|compile
  gotestsum|ginkgo|richgo >--junitfile|--jsonfile|-coverprofile !--watch|--post-run-command @(?!(?:generate|bootstrap|watch|tool)$).*

  rspec|cucumber|parallel_rspec|minitest >-o|--out
  rubocop|standardrb|reek|brakeman|bundle-audit|erblint|haml-lint|slim-lint|mdl >-o !-a|-A|-x|-i|--regenerate-todo
  srb tc
  steep check|stats
  rails test|test:all|test:system|test:models|test:controllers|test:integration|spec|zeitwerk:check|routes
  rake @(?:[\w-]+:)*(?:default|tests?|spec|lint|rubocop|checks?|features|standard|ci|verify)(?::(?!\w*(?:fix|correct)|auto|write)[\w-]+)*|TEST\w*=.* !-f|-r|-e
  ruby ?-c|-wc !-i|-e|-r|-n|-p
  ruby @+(?!bin\/).*(?:_test|_spec)\.rb|(?:test|spec)\/[\w./-]+\.rb !-i|-e|-n|-p|-x|-r|-c &
  bundle check|audit|outdated|doctor @(?!update$).*

  mvn|mvnw|mvnd !-f|-s|-gs|--settings|-Dexec|-Dmaven.ext =-pl|-P|-T|-rf @(?!.*(?:flyway|liquibase):)(?:[\w.-]+:)*(?:clean|validate|compile|test-compile|test|package|verify|integration-test|check|enforce|spotbugs|pmd|tree|analyze)
  gradle|gradlew|gradlew.bat !-I|-b|-c|--write-locks|-M|--write-verification-metadata|--update-locks =-x|--tests|-p @(?:[\w.-]*:)*(?:(?:\w+T|t|cleanT)est(?!Fixtures)\w*|\w*Check|check(?!out)\w*|build|assemble\w*|compile\w*|\w*[cC]lasses|clean|lint(?!Fix)\w*|detekt(?!Baseline)\w*|spotbugs\w*|pmd\w*|checkstyle\w*|jacoco\w*|verify(?:Roborazzi|Paparazzi)?\w*|koverVerify\w*|dependencyCheckAnalyze|javadoc|jar|dependencies|tasks|allTests)
  sbt|sbtn @;?\s*${SBT}(?:\s*;\s*${SBT})*
  mill|amm @(?:[\w.-]+\.)?(?:compile|test|test\.(?:test\w*|compile)|checkFormat|testCached|__)|(?:[a-z]\w*\.)+[A-Z]\w*
  scala-cli test|compile !-w|--watch
  scalafmt +--check|--test|--list !-i
  ktlint !-F|--format
  detekt|spotbugs|pmd|checkstyle|infer >-r|-o !--create-baseline|--auto-correct
  google-java-format +-n|--dry-run !-i
  lein test|check|kibit|eastwood|compile
  lein cljfmt check
  clj|clojure ?-M:test|-X:test|-M:test:runner
  clj-kondo ?--lint
  cljfmt check
  ant @(?:[\w-]+[.-])?(?:tests?|check\w*|compile|build|clean|lint|verify|jar)

  phpunit|pest|paratest|codecept|behat|phpspec|infection !--generate-configuration|--migrate-configuration|--bootstrap >--coverage-html|--coverage-clover|--coverage-text @(?!(?:bootstrap|init)$|g(?:enerate)?:).*
  phpstan analyse|analyze|diagnose !-b
  psalm|phan|phpmd|phpcs|phplint|parallel-lint|deptrac !--alter|-i @(?!(?:fix|init)$).*
  php-cs-fixer fix +--dry-run
  php-cs-fixer check
  pint +--test
  rector process +--dry-run|-n
  ecs check
  grumphp run
  sail test|phpunit|pest
  artisan test|dusk|route:list|about
  console lint:yaml|lint:twig|lint:container|doctrine:schema:validate|debug:container|debug:router
  php ?-l !-r|-B|-R|-F|-E
  composer normalize +--dry-run
  composer validate|check-platform-reqs|audit|diagnose|outdated

  dotnet test|build|vstest|list !-t:.*|/t:.*|-p:Publish.* =-c|--configuration|-f|-l|--logger|-v|--filter|-s >-o
  dotnet restore ?--locked-mode
  dotnet stryker >-O|--output
  dotnet fantomas +--check
  dotnet format|csharpier +--verify-no-changes|--check|check
  cmake ?--build @(?!(?:install|deploy|publish|upload|package_source)$).* !--target=install =-j
  cmake ?--preset !-P|-E|-C|--install =--preset
  cmake ?-B|-S !-P|-E|-C|--install =-S|-G|-D|-A >-B
  ctest !-S|-SP|-D|-M|-T|--build-and-test|--submit >-O
  meson test|compile !--wrapper|--gdb =-C
  meson setup @setup|\.{0,2}|(?:build|builddir|out|_build)[\w./-]* !--wipe
  ninja !-t|-f =-C|-j|-k|-l|-d|-w @(?!.*(?:install|deploy|publish|upload|format|update)).*
  clang-format +--dry-run|-n !-i
  scons|xmake|b2 @(?:tests?|check|build|lint) =-j
  gcovr >-o|--html|--html-details|--xml|--json
  clang-tidy|include-what-you-use|iwyu_tool|run-clang-tidy|cppcheck|cpplint|oclint|scan-build !-export-fixes >-o
  gcc|g++|clang|clang++ ?-fsyntax-only !-wrapper|-fplugin=.*|-specs=.*
  bazel|bazelisk|buck2|pants test|build|check|lint|query|cquery|aquery|coverage !--run_under|--override_repository
  earthly @\+(?:[\w-]+-)?(?:tests?|lint|check|build|ci|unit|verify)(?:-[\w-]+)? !--push
  nix flake check
  nix build ?--no-link !--impure|--option
  nix-build ?--no-out-link !--option
  zig build test|check|lint =--summary|-j|--seed !-p|--prefix|--build-file
  zig build @build !-p|--prefix|--build-file
  zig test|ast-check
  zig fmt +--check

  mix test|lint|ci|quality|compile|credo|dialyzer|sobelow|xref|check|coveralls|coveralls.html|coveralls.json|hex.audit|deps.audit @(?!gen).*
  mix deps.unlock +--check-unused
  mix format +--check-formatted
  rebar3 eunit|ct|compile|dialyzer|xref|proper|lint
  rebar3 fmt +--check
  rebar3 as test eunit|ct|compile|dialyzer|xref
  gleam format +--check
  gleam test|check|build
  dart fix +--dry-run
  flutter build
  dart|flutter test|analyze|doctor !--update-goldens
  dart format +--output=none|--output=show
  swift test|build
  swift package describe|dump-package
  dart run custom_lint
  dart pub outdated
  swift format lint
  swiftlint !--write-baseline @(?!autocorrect$).*
  swiftformat +--lint|--dryrun
  xcodebuild test|build|analyze|build-for-testing|test-without-building =-scheme|-project|-workspace|-destination|-configuration|-sdk !-exportArchive|-archivePath >-derivedDataPath|-resultBundlePath
  cabal|stack test|build|check|bench|haddock !--copy-bins|--file-watch|-w|--with-compiler
  hlint !--refactor
  nixfmt|alejandra|nixpkgs-fmt +--check|-c
  ormolu|fourmolu +--mode|-m !-i|--mode=inplace|-m=inplace =--mode|-m
  dune build|test|runtest !--auto-promote|--promote @(?!promote$|@install$).*
  julia ?-e @(?:using\s)?Pkg;\s?Pkg\.test\(\)
  Rscript ?-e @(?:devtools|testthat|rcmdcheck|lintr)::(?:test|check|rcmdcheck|lint_package|lint_dir|test_local|test_dir|test_file|test_package|test_all)\((?:["'][\w./-]*["'])?\)
  nim check
  R CMD check|build
  perl|raku ?-c !-e|-i|-n|-p
  elm-test|elm-review !--fix|--fix-all
  elm-format +--validate
  elm make >--output
  shards build|check
  crystal tool format +--check
  verilator ?--lint-only
  nimble test|check
  crystal spec
  v|odin|dub|mdbook test|vet|check
  mutmut|stryker run
  zola|jekyll build|check|doctor >-d|-o|--destination
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
  ansible-playbook ?--syntax-check|--list-tasks|--list-hosts =-i|-e
  sam validate
  cdk synth|synthesize|list|ls !-a|--app|--plugin >-o|--output
  act ?-n|--dryrun|-l|--list
  docker compose config ?-q|--quiet =-f|--file|-p|--profile
  docker build|buildx ?--check
  elm-test|spago|forge test|build|coverage|inspect !--ffi|--broadcast
  forge fmt +--check
  slither|solhint
  shellcheck|hadolint|actionlint|checkbashisms|bats|shellspec|zizmor|kubeconform|kube-linter|spectral|tflint|lychee|vale|xmllint|protolint >-o|--output !-i
  semgrep ?--config
  semgrep scan|ci
  gitleaks detect|dir|git >-r
  sqlfluff lint|parse >--write-output
  dbt parse|test|compile|ls|list !--store-failures
  buf lint|build|breaking >-o
  buf format +--diff|--exit-code|-d !-w
  terraform|tofu|packer validate
  terraform|tofu fmt +-check|--check
  helm lint|unittest !-u
  prisma validate
  prisma format +--check
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
