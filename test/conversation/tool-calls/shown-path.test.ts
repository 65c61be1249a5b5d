import path from "node:path";
import { expect, it } from "vitest";
import { shownPath } from "../../../src/conversation/tool-calls/tool-fact.ts";

const WINDOWS = { directory: "C:\\work\\app\\web", project: "C:\\work\\app" };
const POSIX = { directory: "/work/app/web", project: "/work/app" };

it.each<[string, string, string]>([
  ["relative to where it was called", "src\\a.ts", "web/src/a.ts"],
  ["with the other slashes", "C:/work/app/web/src/a.ts", "web/src/a.ts"],
  ["in other letter case, as Windows has it", "c:\\Work\\App\\a.ts", "a.ts"],
  ["beside the project", "C:\\work\\other\\a.ts", "C:/work/other/a.ts"],
  ["on another drive", "D:\\a.ts", "D:/a.ts"],
  ["on a share", "\\\\server\\share\\a.ts", "//server/share/a.ts"],
])("a file on Windows is shown by names with / between them: %s", (_name, file, shown) => {
  expect(shownPath(file, WINDOWS, path.win32)).toBe(shown);
});

it("keeps a backslash that is a part of a name elsewhere", () => {
  expect(shownPath("odd\\name.ts", POSIX, path.posix)).toBe("web/odd\\name.ts");
  expect(shownPath("/etc/hosts", POSIX, path.posix)).toBe("/etc/hosts");
});
