import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import {
  createNotifications,
  deliver,
  desktopCommand,
} from "../../../src/extras/notifications/notifications.ts";
import { createFakeHost } from "../../support/fake-host.ts";
import { createTestServices, openConversation } from "../../support/services.ts";

const SECRET = "sk-proj-abcdefghijklmnopqrstuvwxyz0123456789";

describe("by a webhook", () => {
  let server: Server;
  let url: string;
  let status = 200;
  let received: { event: string; text: string }[];
  beforeEach(async () => {
    received = [];
    status = 200;
    server = createServer((request, response) => {
      let body = "";
      request.on("data", (chunk: Buffer) => (body += chunk.toString()));
      request.on("end", () => {
        if (request.method === "POST") received.push(JSON.parse(body) as (typeof received)[number]);
        response.writeHead(status, status === 302 ? { location: "/elsewhere" } : {}).end();
      });
    });
    await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook?token=hush`;
  });
  afterEach(async () => new Promise((done) => server.close(done)));

  const sent = { event: "question", project: "p", unit: null, session: "s", text: "?", at: "now" } as const;
  const until = async (count: number): Promise<void> => {
    while (received.length < count) await new Promise((done) => setTimeout(done, 5));
  };

  it("sends what it is, once, when it lasts, and no secret", async () => {
    const services = createTestServices({
      notify: { desktop: false, webhook: url },
      redact: (text) => text.replaceAll(SECRET, "[REDACTED]"),
      host: createFakeHost("/work/shop"),
    });
    const { conversation } = await openConversation(services);
    const { clock } = services;
    const questions = [`Use\u001b ${SECRET}${" again".repeat(22)} ${SECRET}?`];
    const ask = (requestId: string): void =>
      conversation.dispatch({ type: "question-asked", requestId, questions });
    ask("q0");
    await clock.advance(400);
    conversation.dispatch({ type: "question-answered", requestId: "q0", answers: [["no"]] });
    await clock.advance(2_000);
    ask("q1");
    await clock.advance(600);
    conversation.dispatch({ type: "tick" });
    await clock.advance(60_000);
    await until(1);
    expect(received).toMatchObject([{ event: "question", project: "shop", unit: null, session: "root" }]);
    expect(received[0]?.text).toMatch(/^Use \[REDACTED\](?: again)+ \[REDACTED\]\?$/);
    conversation.dispose();
  });

  it("tells what went wrong, without the address, and follows nobody elsewhere", async () => {
    const elsewhere = "notify.webhook could not be reached.";
    for (status of [500, 302])
      expect(await deliver({ desktop: false, webhook: url }, sent)).toEqual([
        `notify.webhook answered ${status}.`,
      ]);
    expect(received).toHaveLength(2);
    for (const gone of ["http://127.0.0.1:1/x?token=hush", "HTTP://LocalHost:1/a/../x?token=hush"])
      expect(await deliver({ desktop: false, webhook: gone }, sent)).toEqual([elsewhere]);
  });
});

it("hands the desktop a text that is no option and no script", () => {
  const hostile = { project: "-e", text: '--urgency=critical" & do shell script "touch x"' };
  const linux = ["notify-send", "--app-name=opencode-gaia", "--", "GAIA · -e", hostile.text];
  expect(desktopCommand(hostile, "linux")).toEqual(linux);
  const mac = desktopCommand(hostile, "darwin") ?? [];
  expect(mac.slice(-2)).toEqual(["GAIA · -e", hostile.text]);
  expect(mac.slice(0, -2).join(" ")).not.toContain("touch");
  expect(desktopCommand(hostile, "win32")).toBeUndefined();
});

it("hears and does nothing where it is off", async () => {
  const services = createTestServices({});
  const { conversation } = await openConversation(services);
  expect(createNotifications(conversation, services)).toEqual({});
});
