import { expect, it } from "vitest";
import { nearestName, sameName } from "../../src/lib/nearest-name.ts";

const NAMES = ["mode", "model", "temperature", "prompt_append", "hephaestus", "live", "ask"];

it.each([
  ["hepaestus", "hephaestus"],
  ["hephasetus", "hephaestus"],
  ["haephestus", "hephaestus"],
  ["temprature", "temperature"],
  ["temp", "temperature"],
  ["promptAppend", "prompt_append"],
  ["PROMPT-APPEND", "prompt_append"],
  ["modle", "model"],
  ["moed", "mode"],
  ["Mode", "mode"],
  ["ak", "ask"],
  ["wave", undefined],
  ["te", undefined],
  ["zeus", undefined],
  ["", undefined],
  ["___", undefined],
  ["temperature".repeat(1_000), undefined],
])("%s is meant as %s", (name, expected) => {
  expect(nearestName(name, NAMES)).toBe(expected);
});

it.each([
  ["hephaestus", "hephaestus"],
  ["Hephaestus", "hephaestus"],
  [" HEPHAESTUS ", "hephaestus"],
  ["@hephaestus", "hephaestus"],
  ["Prompt Append", "prompt_append"],
  ["prompt-append", "prompt_append"],
  ["the-hephaestus", undefined],
  ["hepaestus", undefined],
  ["my-agent", "my-agent"],
  ["My Agent", undefined],
  ["@", undefined],
  ["", undefined],
])("%j certainly means %s", (name, expected) => {
  expect(sameName(name, [...NAMES, "my-agent", "myagent"])).toBe(expected);
});
