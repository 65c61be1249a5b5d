import type { PluginInput } from "@opencode-ai/plugin";
import type * as Sdk from "@opencode-ai/sdk/v2/types";
import { type Clock, bounded } from "../../lib/async.ts";
import { createError } from "../../lib/error.ts";
import { isRecord, recordOf, textOf } from "../../lib/json.ts";

/** How long OpenCode may take for a call that does no model work, in milliseconds. */
const CALL_LIMIT_MS = 10_000;
const NOT_FOUND = 404;

type Route<Method extends string, Data extends { url: string }, Responses> = {
  [Name in `${Method} ${Data["url"]}`]: { input: Omit<Data, "url">; output: Responses[keyof Responses] };
};

/** The requests that the plugin sends, by method and path, in OpenCode's own types. */
type Requests = Route<"get", Sdk.AppSkillsData, Sdk.AppSkillsResponses> &
  Route<"get", Sdk.ConfigGetData, Sdk.ConfigGetResponses> &
  Route<"get", Sdk.ConfigProvidersData, Sdk.ConfigProvidersResponses> &
  Route<"get", Sdk.FormatterStatusData, Sdk.FormatterStatusResponses> &
  Route<"get", Sdk.GlobalHealthData, Sdk.GlobalHealthResponses> &
  Route<"get", Sdk.PermissionListData, Sdk.PermissionListResponses> &
  Route<"get", Sdk.QuestionListData, Sdk.QuestionListResponses> &
  Route<"get", Sdk.SessionChildrenData, Sdk.SessionChildrenResponses> &
  Route<"get", Sdk.SessionGetData, Sdk.SessionGetResponses> &
  Route<"get", Sdk.SessionMessageData, Sdk.SessionMessageResponses> &
  Route<"get", Sdk.SessionMessagesData, Sdk.SessionMessagesResponses> &
  Route<"get", Sdk.SessionStatusData, Sdk.SessionStatusResponses> &
  Route<"patch", Sdk.PartUpdateData, Sdk.PartUpdateResponses> &
  Route<"patch", Sdk.SessionUpdateData, Sdk.SessionUpdateResponses> &
  Route<"post", Sdk.AppLogData, Sdk.AppLogResponses> &
  Route<"post", Sdk.PermissionReplyData, Sdk.PermissionReplyResponses> &
  Route<"post", Sdk.SessionAbortData, Sdk.SessionAbortResponses> &
  Route<"post", Sdk.SessionCreateData, Sdk.SessionCreateResponses> &
  Route<"post", Sdk.SessionPromptData, Sdk.SessionPromptResponses> &
  Route<"post", Sdk.SessionPromptAsyncData, Sdk.SessionPromptAsyncResponses> &
  Route<"post", Sdk.SessionRevertData, Sdk.SessionRevertResponses> &
  Route<"post", Sdk.SessionUnrevertData, Sdk.SessionUnrevertResponses> &
  Route<"post", Sdk.TuiAppendPromptData, Sdk.TuiAppendPromptResponses> &
  Route<"post", Sdk.TuiClearPromptData, Sdk.TuiClearPromptResponses> &
  Route<"post", Sdk.TuiSelectSessionData, Sdk.TuiSelectSessionResponses> &
  Route<"post", Sdk.TuiShowToastData, Sdk.TuiShowToastResponses>;

type RequestName = keyof Requests;
type Input<Name extends RequestName> = Requests[Name]["input"];
type Output<Name extends RequestName> = Requests[Name]["output"];

type RawCall = { url: string; headers?: Record<string, string> };
type RawAnswer = { data?: unknown; error?: unknown; response?: Response };
type RawClient = Record<string, (call: RawCall) => Promise<RawAnswer>>;

export type CallResult<Data> =
  | { ok: true; data: Data }
  | { ok: false; failure: ReturnType<typeof readFailure> };

export interface OpenCodeClient {
  /** One call, as long as it takes; never rejects. */
  request<Name extends RequestName>(name: Name, input: Input<Name>): Promise<CallResult<Output<Name>>>;
  /** One call within {@link CALL_LIMIT_MS}. @throws GaiaError when it fails or does not answer */
  call<Name extends RequestName>(name: Name, input: Input<Name>): Promise<Output<Name>>;
  /** The same, and null for what OpenCode says that it does not have: no other failure means that. */
  find<Name extends RequestName>(name: Name, input: Input<Name>): Promise<Output<Name> | null>;
}

/**
 * Speaks through the transport of the client that OpenCode hands to plugins, with the types of `@opencode-ai/sdk` v2. The
 * client of that package itself would be 60 KB more in everyone's start, and the handed one has the methods of v1, which
 * lack most of what the server accepts (OPENCODE.md "Sessions").
 */
export function createOpenCodeClient(client: PluginInput["client"], clock: Clock): OpenCodeClient {
  const raw = (client as unknown as { _client: RawClient })._client;
  const request: OpenCodeClient["request"] = async (name, input) => {
    const [method = "", url = ""] = name.split(" ");
    try {
      const headers = input.body === undefined ? {} : { "content-type": "application/json" };
      const result = await raw[method]?.({ ...input, url, headers });
      if (result?.error === undefined) return { ok: true, data: result?.data as never };
      return { ok: false, failure: readFailure(result.error, result.response?.status ?? null) };
    } catch (error) {
      return { ok: false, failure: readFailure(error, null) };
    }
  };
  const find: OpenCodeClient["find"] = async (name, input) => {
    const result = await bounded(request(name, input), CALL_LIMIT_MS, clock, `OpenCode (${name})`);
    if (result.ok) return result.data;
    if (result.failure.status === NOT_FOUND) return null;
    throw createError("host", `OpenCode refused ${name}: ${result.failure.message}`);
  };
  return {
    request,
    find,
    async call(name, input) {
      const found = await find(name, input);
      if (found === null) throw createError("host", `OpenCode has nothing to answer ${name} with.`);
      return found;
    },
  };
}

/** What OpenCode answered to a call that failed, with its HTTP status. */
function readFailure(error: unknown, status: number | null) {
  if (error instanceof Error) return { status, name: error.name, message: error.message };
  if (!isRecord(error)) return { status, name: "UnknownError", message: String(error) };
  return {
    status,
    name: textOf(error["name"]) ?? textOf(error["_tag"]) ?? "UnknownError",
    message: textOf(recordOf(error["data"])["message"]) ?? textOf(error["message"]) ?? JSON.stringify(error),
  };
}
