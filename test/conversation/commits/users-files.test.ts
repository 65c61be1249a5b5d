import { join } from "node:path";
import { expect, it } from "vitest";
import { createUsersFiles } from "../../../src/conversation/commits/users-files.ts";
import { systemClock } from "../../../src/lib/clock.ts";
import { createGit } from "../../../src/vcs/git.ts";
import { createProject, git, writeFiles } from "../../checks/project.ts";

it("takes what was changed before for the user's own, until it is changed again", async () => {
  const directory = await createProject({ "a.txt": "one", "b.txt": "one" });
  await git(directory, "init", "-q");
  await git(directory, "add", ".");
  await git(directory, "commit", "-qm", "first");
  await writeFiles(directory, { "a.txt": "mine", "b.txt": "mine", "new.txt": "mine" });
  const users = createUsersFiles({ vcs: createGit(directory, systemClock), clock: systemClock });
  await users.remember();
  await writeFiles(directory, { "b.txt": "hers", "c.txt": "hers" });
  await users.remember();
  const paths = ["a.txt", "b.txt", "new.txt", "c.txt"].map((name) => join(directory, name));
  expect([...(await users.among(paths))]).toEqual([paths[0], paths[2]]);
});
