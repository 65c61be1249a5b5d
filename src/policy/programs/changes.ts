/** Options of npm and its like that say where or for which packages. */
const PM =
  "[-w= --workspace= -C= --prefix= --dir= --filter= -F= --cwd= -r --recursive --workspaces --ws -s --silent --if-present --stream --parallel --bail --no-bail --sort]";
/** Names of scripts and targets that reach beyond the project, whatever they run. */
const AWAY = String.raw`(?:deploy\w*|publish\w*|release\w*|ship|upload|promote|rollout|rollback|destroy|teardown|provision|migrate|production|push|(?:db|database)[:_.-](?:reset|drop|wipe|nuke)|(?:reset|drop|wipe|nuke)[:_.-](?:db|database))`;
const REACHING = String.raw`/(?:.*[:_.-])?${AWAY}(?:[:_.-].*)?/i`;
/** The same of files, tests of it left out, and of environments, one or a list. */
const REACHING_FILE = String.raw`/(?!.*(?:test|spec))(?:.*[\/_.-])?${AWAY}(?:[_.-].*)?\.\w+/i`;
const REACHING_PATH = String.raw`/\.\/(?:.*[\/_.-])?${AWAY}(?:[_.-].*)?/i`;
const REACHING_LIST = String.raw`/(?:[\w.]+[,:-])*${AWAY}(?:[,:-][\w.]+)*/i`;
/** A recipe that is fed or given as a text, and another shell for it, which may do anything. */
const INLINE = String.raw`!--eval !/^(?:-f|--\w*file=)?(?:-|\/dev\/(?:stdin|fd\/.*))$/ !/^(?:SHELL|\.SHELLFLAGS|(?:GNU)?MAKEFLAGS)=/`;
const PYTHON = "python|python2|python3|pypy3|py";
const SCRIPT_OF_PYTHON = `${PYTHON} [-u -B -O -OO -s -S -E -I -v -b -X= -W=]`;
const BUNDLERS =
  "tsc|vue-tsc|tsup|esbuild|rollup|webpack|vite|next|nuxt|astro|svelte-kit|parcel|swc|babel|changeset|storybook|sass|postcss|tailwindcss|ng";
/** The containers that the project describes, as long as they get nothing of the machine. */
const COMPOSE_PROJECT = `[-f= --file= -p= --project-name= --profile= --project-directory= --env-file= --build]
    (build|up|start|stop|restart|run|exec|pull|create|logs|ps|watch|attach|pause|unpause|kill)
    ... !-v !--volume !--mount !--privileged !--pid !--network !--net !--cap-add !--device !-V !--host !--push !--builder !--ssh => project`;
const NOT_GLOBAL = "... !-g !--global !--location !--userconfig !--globalconfig";

/**
 * What build tools, package managers and runtimes change; they follow the lines that say what only reads. What they write
 * where it belongs (build output, caches, lock files, reports) is the project's. A script may be anything that the project
 * says it is.
 */
export const projectTools = String.raw`
  npm|pnpm|bun publish --dry-run [--tag= --access= --json --no-git-checks --ignore-scripts] => project
  npm|pnpm|yarn|bun ${PM} (publish|unpublish|deprecate|owner|access|token|login|logout|adduser|team|star|profile|dist-tag|tag|org|hook|shrinkwrap|global)
    ... => outside
  # Without a name these make the project known to all others of the machine.
  npm|pnpm|yarn|bun ${PM} (link|ln|unlink) => outside
  bun upgrade ... => outside
  yarn npm (audit|info) ... => project
  yarn npm|config|set|plugin ... => outside
  yarn (workspace W|workspaces foreach|workspaces run) [-A -p -v -t -i -j= --all --parallel --verbose --topological] (run|npm)?
    (npm|${REACHING}) ... => outside
  npm|pnpm (config|c|set) ... => outside
  npm pkg (set|delete|fix) ... => project
  npm|pnpm|yarn|bun ${PM} (version|prune|dedupe|rebuild|pack|init|create|patch|patch-commit|approve-builds|fund) ${NOT_GLOBAL} => project
  npm|pnpm|yarn|bun ${PM} (install|i|ci|add|remove|rm|uninstall|un|update|up|upgrade|link|import|fetch|install-test|it|cit) ${NOT_GLOBAL} => project
  npm|pnpm|yarn|bun ${PM} (install|i|add|remove|rm|uninstall|un|update|up|upgrade|link) ... => outside
  npm|pnpm|yarn|bun ${PM} (run|run-script) ${REACHING} ... => outside
  npm|pnpm ${PM} (run|run-script) /[\w.:@\/*-]+/ ... => project
  npm ${PM} (test|t|tst|start|stop|restart|audit|build) ... => project
  npm cache (verify|clean|ls) ... => project
  pnpm|yarn|bun ${PM} ${REACHING} ... => outside
  pnpm ${PM} (test|t|start|audit|build|lint|dev|typecheck|format|check) ... => project
  yarn|bun (test|start|audit|build|lint|dev|typecheck|format|check|dedupe) ... => project
  yarn => project
  deno task ${REACHING} ... => outside
  deno (publish|deploy|install|uninstall|upgrade) ... => outside
  deno (test|lint|fmt|check|cache|bench|coverage|doc|compile|bundle|types|task) ... => project
  deno run [-A --allow-all --allow-read? --allow-write? --allow-env? --allow-run? --allow-sys? --allow-net? --quiet -q --no-check --cached-only]
    /[\w.@\/-]+\.[cm]?[jt]sx?/ ... => project
  bun [-b --bun --watch --hot] /[\w.@\/-]+\.[cm]?[jt]sx?/ ... => project
  node|tsx|ts-node|bun|deno|python|python2|python3|ruby|perl|php|crystal (run)? ${REACHING_FILE} ... => outside
  node [--test --watch --enable-source-maps --experimental-strip-types --no-warnings --inspect --trace-warnings --expose-gc]
    /[\w.@\/-]+\.[cm]?[jt]sx?/ ... => project
  node --run=${REACHING} ... => outside
  node --run=/[\w:.\/-]+/ ... => project
  node --test ... !-e !--eval !-p !--print !-r !--require !--import => project
  tsx|ts-node|ts-node-esm|vite-node|jiti|esno [--watch -T --esm --transpile-only] /[\w.@\/-]+\.[cm]?[jt]sx?/ ... => project
  # What a task runner is given may be a task anywhere, and a command behind exec or in quotes.
  turbo|nx|lerna|rush|moon|gulp|grunt|npm-run-all|run-s|run-p
    ... !/^(?:--?targets?=)?${REACHING.slice(1, -2)}$/ !/^exec$/ => project
  turbo|nx|lerna|rush|moon|gulp|grunt ... !/^exec$/ => outside
  buf|semgrep|sqlc|maturin|wasm-pack|mkdocs|expo|eas|ng
    (login|logout|register|auth|registry|publish|upload|push|submit|gh-deploy|ci|install-semgrep-pro|analytics) ... => outside
  cypress run --record ... => outside
  ${BUNDLERS}|remix|expo|wasm-pack|buf|trunk
    ${REACHING} ... => outside
  sass > ... => project
  # Packages of the system.
  playwright install-deps ... => outside
  playwright install ... !--with-d => project
  playwright install ... => outside
  ${BUNDLERS}|svelte-check|eslint|prettier|oxlint|oxfmt|biome|stylelint|dprint|knip|depcheck|madge|publint|attw|size-limit|jest|vitest|mocha|ava|tap|cypress|playwright|karma|wtr|lint-staged|syncpack|typedoc|api-extractor|graphql-codegen|openapi-generator|openapi-typescript|orval|protoc|buf|markdownlint|markdownlint-cli2|cspell|commitlint|license-checker|npm-check-updates|ncu
    [--file> --json> --descriptor_set_out> --tsBuildInfoFile>] ... => project
  # What git runs from then on.
  pre-commit|prek|lefthook|gitlint (install|uninstall|install-hook|uninstall-hook|autoupdate|migrate-config|init-templatedir|add) ... => outside
  prisma|drizzle-kit (generate|format|validate|check) ... => project
  alembic (check|current|show|history|heads|branches|revision) ... !-x !--config !-c => project
  prisma|drizzle-kit|knex|sequelize|typeorm|flyway|liquibase|alembic|dbmate|goose|sqlx|diesel|husky|simple-git-hooks|overcommit * => outside
  ${PYTHON} -m=/json\.tool/ > ... => project
  ${PYTHON} -m=/pytest|unittest|doctest|mypy|pylint|flake8|black|isort|ruff|coverage|compileall|py_compile|build|venv|virtualenv|pyright|timeit|cProfile|trace|json\.tool|sphinx|pydoc|tabnanny|ast|dis|pdb/
    [--junitxml> --junit-xml>] ... => project
  ${PYTHON} -m=/tox|nox|mkdocs/ ... !${REACHING_LIST.replace("/(", "/^(").replace("/i", "$/i")} !/^gh-deploy$/ => project
  ${PYTHON} -m=/tox|nox|mkdocs/ ... => outside
  # It listens for everyone, unless told otherwise.
  ${PYTHON} -m=/http\.server/ (-b=/127\.0\.0\.1|localhost/|--bind=/127\.0\.0\.1|localhost/) [-d= --directory= --cgi] N? => project
  ${PYTHON} -m=/twine|ensurepip|smtplib|ftplib/ ... => outside
  ${SCRIPT_OF_PYTHON} /[\w.@\/-]*manage\.py/
    (test|check|makemigrations|compilemessages|makemessages|collectstatic|startapp|showmigrations|sqlmigrate|runserver|diffsettings|spectacular)
    ... => project
  ${SCRIPT_OF_PYTHON} /(?:.*\/)?setup\.py/
    ... !/^(?:upload|register|install|develop|upload_docs)$/ => project
  ${SCRIPT_OF_PYTHON} /[\w.@\/-]*manage\.py|(?:.*\/)?setup\.py/ ... => outside
  ${SCRIPT_OF_PYTHON} /[\w.@\/-]+\.pyw?/ ... => project
  tox|nox (-e=${REACHING_LIST}|-s=${REACHING_LIST}|--session=${REACHING_LIST}|--sessions=${REACHING_LIST}) ... => outside
  pytest|py.test|tox|nox|mypy|pyright|pylint|flake8|black|isort|ruff|coverage|bandit|pyflakes|pycodestyle|pydocstyle|autopep8|yapf|autoflake|pyupgrade|vulture|radon|sphinx-build|mkdocs|cython|f2py|maturin|hypothesis|interrogate|pip-audit|pip-compile|pip-sync|stubtest|ty|basedpyright|pre-commit|prek|pipdeptree
    [--junitxml> --junit-xml> --html> --report-log>] ... => project
  uv (sync|lock|add|remove|build|venv|init|version|export|format|tree) ... => project
  poetry [-q -v -n --no-ansi --no-interaction] show [-t --tree -l --latest -o --outdated -a --all -T --top-level --no-truncate --with= --without= --only= --why] W? => read
  poetry [-q -v -n --no-ansi --no-interaction] version [-s --short] => read
  poetry|pdm|pipenv|hatch|rye (show|list|graph|info|dep|env show|outdated) ... => project
  uv|poetry|pdm|pipenv|hatch|rye (publish|config|self|source) ... => outside
  poetry|pdm|pipenv|hatch|rye (install|add|remove|update|lock|build|check|init|sync|export|fmt|lint|test|version|new|clean|type) ... => project
  ruby|perl|php|lua|luajit|Rscript|julia|elixir|escript|racket|guile|groovy|kotlin|scala|swift|tclsh|crystal
    /[\w.@\/-]+\.\w+/ ... => project
  php /(?:.*\/)?(?:artisan|console)/ /migrate:status|schedule:list|model:show|db:show|help/ ... => project
  php /(?:.*\/)?(?:artisan|console)/ /(?:make|test|lint|route|config|view|event|cache|list|about|optimize|debug|serve|vendor:publish|storage:link|package:discover|clear-compiled)\b.*|--version/ ... => project
  php /(?:.*\/)?(?:artisan|console)/ ... => outside
  # A database for tests is the project's own, and these say how far one is.
  rake|rails (db:test:prepare|db:test:load|db:migrate:status|db:version) [--trace] => project
  rake|rails ... !/^${REACHING.slice(1, -2)}$/ !/^db:/ !/^(?:runner|r|console|c|dbconsole|db|credentials.*|encrypted.*|secrets.*|d)$/
    => project
  rake|rails ... !/^(?:runner|r|console|c)$/ => outside
  rspec|rubocop|minitest|cucumber|brakeman|standardrb|sorbet|srb|steep|reek|yard ... => project
  bundle (install|update|lock|check|add|remove|outdated|binstubs|package|cache|list|info|show|licenses|platform) ... => project
  gem build ... => project
  composer (run|run-script)? ${REACHING} ... => outside
  composer (install|update|require|remove|dump-autoload|dumpautoload|validate|audit|normalize|test|lint|check|analyse|run-script|run|bump|reinstall|init|create-project|show|info|outdated|why|why-not|depends|prohibits|licenses|status|diagnose|search|suggests|fund|check-platform-reqs)
    ... !-g !--global => project
  phpunit|phpstan|psalm|php-cs-fixer|phpcs|phpcbf|pest|rector|infection|pint|deptrac [--log-junit> --coverage-clover> --report-file>] ... => project
  cargo publish (-n|--dry-run) [--allow-dirty --no-verify -q --quiet -v --verbose --locked --offline -p= --package= --workspace --all-features --features=]
    => project
  cargo [--locked --offline --frozen -q --quiet -v --verbose --color= --manifest-path= -Z=] P? (publish|yank|owner|login|logout|install|uninstall|install-update|release|smart-release|binstall|cache) ... => outside
  # A verb of a further tool for cargo, and what it is to do.
  cargo /(?!(?:test|t|run|r|bench|nextest|miri|build|b|check|c|clippy|doc|expand|add|rm|remove|update|search|info|tree|insta|mutants|llvm-cov|new|init)$)[a-z][\w-]*/ (${REACHING}|database) ... => outside
  cargo|cross ... !/^(?:publish|yank|owner|login|logout|(?:un)?install(?:-[\w-]+)?|(?:[\w-]+-)?release|binstall|cache)$/ !--target-dir !--config !--artifact-dir !--root !--index !--registry => project
  rustc|rustfmt|clippy-driver|wasm-pack|wasm-bindgen|trunk|mdbook|bindgen|cbindgen ... => project
  rustup (component|target|toolchain|update|default|override|install) ... => outside
  # go install puts a program where the user's own lie, go env -w writes the user's settings.
  go (install|env|telemetry|bug) ... => outside
  go (build|test|vet|fmt|mod|generate|work|fix|tool|get|clean) [-coverprofile> -cpuprofile> -memprofile> -blockprofile> -mutexprofile> -trace>] ... !-exec !--exec !-toolexec !--toolexec !-vettool !--vettool => project
  go run ${REACHING_PATH} ... => outside
  go run ... !/@/ !-exec !--exec !-toolexec !--toolexec => project
  gofmt|goimports|gofumpt|golangci-lint|staticcheck|mockgen|mockery|wire|sqlc|templ|air|ginkgo|revive|govulncheck|golint|stringer
    [-destination>] ... => project
  gotestsum [--junitfile> --jsonfile>] ... !--raw-command !--post-run-command !-exec !-toolexec => project
  # What is for all projects of the machine, its tools and devices, and for accounts.
  dart|flutter (pub (global|token|login|logout|cache)|upgrade|downgrade|channel|config|precache|install|emulators) ... => outside
  cabal|stack|nimble|dune|v|crystal (install|upgrade|up|user-config|uninstall) ... => outside
  rebar3|gleam hex ... => outside
  pod (repo|cache|setup) ... => outside
  xcodebuild (-exportArchive|-downloadPlatform|-downloadAllPlatforms|-runFirstLaunch) ... => outside
  ctest (-D=W|--dashboard=W|-M=W|-T=W|--submit-index=W) ... => outside
  # What lies at a label may be run, as any script of the project.
  bazel|bazelisk|buck2|pants run ... !/(?:^|[:\/_.-])${AWAY}(?:[:\/_.-]|$)/i => project
  bazel|bazelisk|buck2|pants run ... => outside
  cmake -E=/copy|copy_if_different|rename|create_symlink|create_hardlink/ > ... => project
  cmake --install= --prefix= [--config= --component= --strip -v] => project
  make|gmake|just|task|mage|ninja|samu|invoke|inv|doit|earthly|cmake|meson|ctest|cpack|bazel|bazelisk|buck2|pants|scons|waf|xmake|premake5|autoreconf|autoconf|automake|aclocal|libtoolize
    ... !/^(?:--target=)?${REACHING.slice(1, -2)}$/ !/^(?:--target=)?(?:un)?install(?:-strip|\/\w+)?$/ !--install !--push ${INLINE} => project
  make|gmake|just|task|mage|ninja|samu|invoke|inv|doit|earthly|cmake|meson|bazel|bazelisk|buck2|pants|scons ... ${INLINE} => outside
  mvn|mvnw|gradle|gradlew|ant|sbt|mill|lein|amper|kobalt
    ... !/^(?:.*:)?(?:deploy\w*|release\w*|publish\w*|upload\w*|nexus\w*|sonatype\w*|sonar\w*|closeAndRelease\w*|bootBuildImage|jib|docker\w*|push\w*|site-deploy|install|flyway\w*|liquibase\w*|update|dropAll|clean-?[dD]b|helm\w*|terraform\w*|appengine\w*|(?:un)?install\w*(?:Debug|Release|All)|[a-z]\w*(?:Upload|Publish|Deploy)\w*)$/
    !/^-Dexec\.(?:executable|workingdir)/ !/[\s;](?:publish|release|deploy|upload)/i
    !/^(?:[\w.]+:)?(?:flyway|liquibase|release|deploy|jib|docker|nexus|wagon|cargo|tomcat\d?|wildfly|ssh|ftp|scm)[\w-]*:/ => project
  mvn|mvnw|mvnd [-q -B -U -V -o -e -ntp -am --batch-mode --no-transfer-progress -T= -P= -pl=] (clean|verify|package|compile|test)* install
    ... !/:/ !-f !-s => project
  mvn|mvnw|gradle|gradlew|ant|sbt|mill|lein * => outside
  # A client of a server is given its address.
  java ... !/:\/\// => project
  javac|jar|javadoc|kotlinc|scalac|groovyc|checkstyle|ktlint|detekt|google-java-format|spotbugs [-d> --file>] ... => project
  dotnet ef (database|dbcontext) ... => outside
  # Templates are the user's.
  dotnet new install|uninstall|update ... => outside
  dotnet new (-i|-u|--install|--uninstall) ... => outside
  dotnet (tool list|nuget list|workload list|search) ... => project
  dotnet nuget locals all (-l|--list) => project
  dotnet (build|test|restore|run|format|clean|new|sln|add|remove|list|publish|pack|watch|msbuild|vstest|csharpier|ef) ... !/^push$/ !/PublishProfile|DeployOnBuild/ => project
  objcopy > ... !-wrapper => project
  gcc|g++|cc|c++|clang|clang++|ld|as|ar|ranlib|strip|nm|gcov|lcov|gcovr|genhtml|clang-format|clang-tidy|cppcheck|cpplint|bison|flex|yacc|lex|nasm|yasm|swiftc|ghc|ocamlfind|ocamlc|ocamlopt|zig|nim|nimble|v|odin|dmd|dub|crystal|gfortran|f77|f95|pkg-config
    [-MF>] ... !/^(?:-e|eval)$/ !-wrapper !/^(?:publish|release|upload|deploy)$/ => project
  swift package-registry ... => outside
  # Without a word it runs what it is fed.
  swift /[a-z][\w-]*/ ... !/^(?:publish|upload|deploy|release|push)$/ => project
  mix ecto.gen.migration ... => project
  mix ... !/^(?:coveralls\.(?!html|json|detail|lcov|xml|cob)|ecto|hex|local|archive|escript|phx\.gen\.release|do|run|eval|cmd)\b/ !/^(?:deploy|release|publish)/ => project
  mix ... !/^(?:do|run|eval|cmd)$/ => outside
  fastlane ... !/^${REACHING.slice(1, -2)}$/ !/^(?:beta|alpha|testflight|pilot|match|sigh|cert|pem|deliver|supply|produce|register_\w+|upload_\w+)$/ => project
  forge|hardhat|truffle|anchor ... !/^(?:publish|deploy|create|migrate|send|upgrade|verify)$/ !--broadcast !--network !--rpc-url !--provider => project
  fastlane|forge|hardhat|truffle|anchor|vagrant * => outside
  cabal|stack|dune|esy|rebar3|gleam|flutter|dart|xcodebuild|pod|sourcery|swiftlint|swiftformat|elm|elm-test|purs|spago|terraform-docs|tflint|hlint|ormolu|fourmolu|erlc|typst|pdflatex|xelatex|lualatex|latexmk|bibtex|biber|dot|mmdc|plantuml|asciidoctor|pandoc|gs|inkscape|optipng|cwebp|jpegoptim
    [-sOutputFile>] ... !/^(?:publish|upload|deploy|release|push|hex\.publish|destroy|trunk)$/ => project
  # Streams go to another place.
  ffmpeg|convert|magick|sox > ... !/^(?:rtmps?|udp|tcp|srt|rtsp|rtp|s?ftp|icecast):/ => project
  cdktf (synth|get|diff|list) ... => project
  goreleaser (check|build|healthcheck|jsonschema) ... => project
  shfmt|bats|shellspec|actionlint|yamlfmt|taplo|sqlfluff|vale|codespell|typos|lychee|act|gitlint|checkov|semgrep|trivy|gitleaks|trufflehog|tree-sitter|ctags|cloc|scc|kubeconform|kubeval|kube-linter|kube-score|conftest|pluto
    [-f> -r> --report-path>] ... => project
  mise|asdf|nvm|fnm|volta|pyenv|rbenv (use|local|reshim|current|which) ... !-g !--global => project
  sqlite3 [-header -json -csv -column -readonly -batch -bail] W /\s*(?:select|explain|pragma|with|\.(?:tables|schema|indexes|dump))\b[^;]*;?\s*/is !/\b(?:writefile|readfile|load_extension|edit)\b/i => project
  sqlite3 * => outside
  openssl s_client|s_server|s_time|ocsp|ts|engine ... => outside
  mktemp [-{dqut} -p= --directory --quiet --tmpdir? --suffix=] W? => project
  wrangler (deploy|publish) --dry-run [--outdir= --env= -e= --minify -c= --config=] W? => project
  firebase emulators:start [--only= --project= -P= --import= --export-on-exit?] => project
  supabase (start|status|functions serve|functions new|migration new) [--debug --workdir= -x=] W* => project
  supabase gen types --local [--lang= --schema=] W* => project
  uniq|xxd|dos2unix|unix2dos > ... => project
  jq|yq|envsubst|iconv|fold|sort|base64|openssl [-keyout>] ... !-passin !-passout !--compress-p !-engine !-provider !/\bsystem\b/
    => project
  # What they are fed, or what listens here, these hand to others.
  http|https|xh|httpie|curlie|cloudflared|ngrok|localtunnel|lt * => outside
  curl|wget [-O> --output-document> --remote-name> -D> --dump-header> --cookie-jar> -c> --save-cookies> --trace> --trace-ascii> --stderr> --etag-save>] ... !--request !--data !--form !--upload-file !--json !--post !--method !--body !--url-query !--cert !--key !--execute !--use-askpass
    !--input-file !--quote !--mail !--delegation !/^-[a-zA-Z]*[dFTuKQtnXxEe]/ !/(?:^|[\/=oO])\.(?:git|jj|hg|svn)\// !--user !--netrc !--config !--proxy !--unix-socket !--abstract-unix-socket !/^(?:POST|PUT|PATCH|DELETE)$/ !/^\w+:?=/ !/^(?:file|ftp|scp|smb|ldap|dict|gopher|telnet)s?:/i
    => project
  wait|sleep|ulimit|umask|times|getopts|let|shift|bind|complete|compgen|compopt|disown|fg|bg|jobs|suspend|logout|hash ... => project
`;

/** What reaches beyond the project: other machines and services, the system, other people's processes. */
export const reaching = String.raw`
  docker|podman|nerdctl (build|buildx build|image build) ... !--push !-o !--output !--builder !--secret !--ssh !--cache-to !--allow !--network => project
  docker|podman|nerdctl compose ${COMPOSE_PROJECT}
  docker-compose|podman-compose ${COMPOSE_PROJECT}
  kubectl|oc|helm|helmfile|kustomize|k9s|k3s|minikube|kind|k3d|istioctl|argocd|flux|skaffold|tilt|terraform|tofu|terragrunt|pulumi|cdk|cdktf|sst|serverless|sls|sam|aws|gcloud|gsutil|bq|az|doctl|linode-cli|hcloud|oci|ibmcloud|eksctl|gh|glab|hub|tea|jira|linear|vercel|netlify|heroku|flyctl|fly|wrangler|firebase|supabase|railway|render|surge|amplify|eb|cf|now|turso|planetscale|pscale|neonctl|convex|vault|consul|nomad|packer|ansible|ansible-playbook|ansible-galaxy|chef|knife|puppet|salt
    * => outside
  docker|podman|nerdctl|docker-compose|buildah|skopeo|crane|ctr|crictl|lxc|lxd|multipass|limactl|colima|virsh|vboxmanage|qemu-img * => outside
  psql|mysql|mariadb|mysqladmin|mysqldump|mongo|mongosh|mongodump|mongorestore|redis-cli|cqlsh|clickhouse-client|influx|cockroach|pg_dump|pg_restore|pg_ctl|createdb|dropdb|createuser|dropuser|sqlcmd|sqlplus|duckdb|etcdctl|kafka-topics|kafka-console-producer|rabbitmqctl|nats
    * => outside
  ssh|scp|sftp|ftp|lftp|telnet|nc|ncat|netcat|socat|mosh|rclone|s3cmd|mc|restic|borg|rsync|mail|mailx|sendmail|mutt|msmtp|swaks|wscat|websocat|grpcurl|nmap|tcpdump|ab|wrk|hey|k6|vegeta|aria2c|yt-dlp|ping|ping6|dig|nslookup|host|whois|traceroute|gpg|gpg2|ssh-keygen|ssh-add|ssh-copy-id|keyctl|certbot|age|sops|pass|op|bw|security|secret-tool
    * => outside
  apt|apt-get|aptitude|dpkg|apt-key|add-apt-repository|yum|dnf|rpm|zypper|pacman|yay|apk|brew|port|snap|flatpak|choco|winget|scoop|nix|nix-env|nixos-rebuild|guix|easy_install|gem|cpan|cpanm|luarocks|ghcup|sdk|npm-check|softwareupdate|mas|update-alternatives|ldconfig|make-install
    * => outside
  pipx|conda|mamba|micromamba ... !/^run$/ => outside
  opam ... !/^exec$/ => outside
  systemctl|service|journalctl|launchctl|crontab|at|batch|atrm|systemd-run|loginctl|hostnamectl|timedatectl|localectl|networkctl|nmcli|ip|ifconfig|route|iptables|ip6tables|nft|ufw|firewall-cmd|sysctl|modprobe|insmod|rmmod|mount|umount|losetup|swapon|swapoff|useradd|userdel|usermod|groupadd|groupdel|passwd|chpasswd|chsh|chfn|visudo|adduser|deluser|dscl|defaults|scutil|networksetup|pmset|nvram|csrutil|spctl|codesign|xattr|setfacl|chattr|setcap|hostname|date|hwclock|dconf|gsettings|xdg-open|open|osascript|say|pbcopy|xclip|xsel|wl-copy|screencapture|notify-send
    * => outside
  pkill|killall|renice|fuser|tmux|screen|reptyr|gdb|lldb|strace|ltrace|perf|bpftrace|dtrace|rr * => outside
  claude|codex|gemini|aider|cursor|cursor-agent|copilot|amp|crush|qwen|droid|opencode|code|ollama|llm * => outside
  twine|flit|goreleaser|semantic-release|release-it|np|lerna-publish|vsce|ovsx|cargo-release|git-lfs|bfg|git-filter-repo * => outside
`;
