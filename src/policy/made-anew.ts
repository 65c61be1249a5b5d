const MADE_ANEW =
  /(?:^|\/)(?:node_modules|bower_components|dist|build|out|target|obj|coverage|htmlcov|\.coverage|\.nyc_output|\.next|\.nuxt|\.svelte-kit|\.turbo|\.parcel-cache|\.vite|\.cache|\.gradle|__pycache__|\.pytest_cache|\.mypy_cache|\.ruff_cache|\.tox|\.nox|\.venv|venv|\.eggs|[^/]*\.egg-info|_build|tmp|temp|\.tmp|storybook-static|test-results|playwright-report|[^/]*\.(?:pyc|pyo|o|obj|a|so|class|log|tmp|tsbuildinfo|bak|orig|swp)|\.DS_Store|[^/]*\.lock-wscript|nohup\.out)(?:\/|$)/u;

/** Whether a path is, or lies in, what tools make anew: deleting it loses nothing. @param path from the project on */
export function isMadeAnew(path: string): boolean {
  return MADE_ANEW.test(path);
}
