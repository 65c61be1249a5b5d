import { isHarmlessExport, isSteeringVariable } from "../shell/variable-names.ts";
import { CHECK, UNKNOWN, type Verdict, writes } from "./verdict.ts";

/** Variables that tell a test to write what it should compare with. */
const UPDATING = /(?:^|_)(?:UPDATE|BLESS|REGENERATE|REGEN|OVERWRITE|ACCEPT|FIX|RECORD)(?:_|$)/u;
/** What leaves tests out, by its name; other things than tests are left out as well. */
export const SKIPS = /^(?!.*(?:DOWNLOAD|INSTALL|BINARY|HOOK|BUILD))(?:.*_)?SKIP(?:_.*)?$/iu;
/** Values that switch off what a variable is named for. */
const OFF = /^(?:|0|no|false|never|none|off)$/iu;

/** A folder or a list of them below the project. */
const FOLDERS = String.raw`(?!\/|~)(?!.*(?:\.\.|:\/|:~))[\w.$\/{}:-]*`;
/** Options of a runtime that are about memory, warnings and the like. */
const MEMORY = String.raw`(?:\s*(?:-Xm[sx]\w+|-Xss\w+|-ea|-D(?!java\.(?:security|system|ext)|skip|maven\.test)[\w.]+=[\w.:\/-]*|-XX:[+\w=-]+))*`;

/** Variables that steer a tool, by the values with which it still only checks. */
const HARMLESS: readonly (readonly [name: RegExp, value: RegExp])[] = [
  ["PYTHONPATH|NODE_PATH|RUBYLIB|PERL5LIB|BUNDLE_GEMFILE", FOLDERS],
  [
    "PYTHON(?:UNBUFFERED|DONTWRITEBYTECODE|HASHSEED|WARNINGS|UTF8|IOENCODING|DEVMODE|ASYNCIODEBUG|FAULTHANDLER|TRACEMALLOC)",
    String.raw`[\w:.,-]*`,
  ],
  [
    "NODE_ENV|NODE_NO_WARNINGS|NODE_DISABLE_COLORS|NODE_V8_COVERAGE|NODE_TEST\\w*|GO_ENV|RUBY_ENV|BUN_ENV|DENO_ENV",
    String.raw`[\w.\/-]*`,
  ],
  [
    "NODE_OPTIONS",
    String.raw`(?:\s*--(?:max-old-space-size=\d+|max_old_space_size=\d+|no-warnings|no-deprecation|experimental-vm-modules|experimental-strip-types|enable-source-maps|trace-warnings|trace-deprecation|unhandled-rejections=\w+|openssl-legacy-provider))*`,
  ],
  ["RUST_(?:BACKTRACE|LOG|MIN_STACK|TEST_THREADS|TEST_NOCAPTURE)|RUSTUP_TOOLCHAIN", String.raw`[\w=,:.-]*`],
  [
    "RUST(?:DOC)?FLAGS",
    String.raw`(?:\s*(?:-[DAWF]\s*[\w:-]+|--cfg[ =][\w="]+|-C\s?(?:target-cpu|debuginfo|opt-level|instrument-coverage)(?:=\w+)?|-Z\s?sanitizer=\w+))*`,
  ],
  ["CARGO_(?:TERM_\\w+|INCREMENTAL|BUILD_JOBS|NET_OFFLINE|NET_RETRY|PROFILE_\\w+)", String.raw`[\w-]*`],
  ["CARGO_TARGET_DIR", String.raw`target[\w\/.-]*|\/tmp\/[\w\/.-]+`],
  [
    "GO(?:OS|ARCH|ARM|AMD64|MAXPROCS|GC|EXPERIMENT|TOOLCHAIN|WORK|DEBUG|PROXY|111MODULE|CACHE|TRACEBACK)|CGO_ENABLED",
    String.raw`(?!\.|.*\/\.\.)[\w.,=:\/|-]*`,
  ],
  [
    "GOFLAGS",
    String.raw`(?:\s*-(?:mod=\w+|count=\d+|race|tags=[\w,]+|v|short|trimpath|buildvcs=\w+|p=\d+))*`,
  ],
  [
    "(?:C|CXX|CPP|LD)FLAGS",
    String.raw`(?:\s*-(?:O[\dsgz]?|g\w*|W[\w=-]+|D(?!NDEBUG)\w+(?:=\w+)?|std=[\w+]+|f(?:no-|sanitize=)[\w,=-]+|pedantic(?:-errors)?|pipe|m[\w=-]+|-coverage))*`,
  ],
  ["(?:A|UB|T|L|M)SAN_OPTIONS", String.raw`(?!.*(?:path|file|dir))[\w=:,-]*`],
  ["CC|CXX", String.raw`(?:ccache\s)?(?:gcc|g\+\+|clang|clang\+\+|cc|c\+\+)(?:-\d+)?`],
  ["(?:MAVEN|GRADLE|JAVA|_JAVA|SBT|JVM|JDK_JAVA)_(?:OPTS|OPTIONS|TOOL_OPTIONS)", MEMORY],
  ["JAVA_HOME|JDK_HOME", String.raw`\/(?:usr|opt|Library)\/[\w.\/-]+`],
  ["MAKEFLAGS", String.raw`-?j?\d*`],
  ["RUBYOPT", String.raw`-W(?::no-\w+|[012])?`],
  [
    "(?:DOCKER_BUILDKIT|YARN_ENABLE_\\w+|BUNDLE_WITHOUT|BUNDLE_JOBS|npm_config_loglevel|NPM_CONFIG_LOGLEVEL)",
    String.raw`[\w:.-]*`,
  ],
  ["XDG_CACHE_HOME|TMPDIR|TMP|TEMP", String.raw`\/tmp(?:\/[\w.-]+)*`],
  ["PYTEST_ADDOPTS", String.raw`(?:\s*(?:-[qvxs]+|--color=\w+|--tb=\w+|-n\s?\w+|-p\sno:\w+))*`],
  ["TERM|COLORTERM|HOSTNAME", String.raw`[\w.-]*`],
].map(([name, value]) => [new RegExp(`^(?:${name})$`, "u"), new RegExp(`^(?:${value})$`, "u")]);

/**
 * What it makes of a check that `name=value` stands in its environment.
 * @param value undefined when it is not known
 */
export function judgeSetting(name: string, value: string | undefined): Verdict {
  if (UPDATING.test(name) && !OFF.test(value ?? "on"))
    return writes(`sets ${name}, with which tests overwrite what they compare with`);
  if (SKIPS.test(name)) return OFF.test(value ?? "on") ? CHECK : UNKNOWN;
  if (isHarmlessExport(name, value) || !isSteeringVariable(name)) return CHECK;
  return value !== undefined && HARMLESS.some(([names, values]) => names.test(name) && values.test(value))
    ? CHECK
    : UNKNOWN;
}
