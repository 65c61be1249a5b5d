import * as z from "zod/mini";
import { describe } from "../lib/schema.ts";

// Values of a configuration, each with what it is for.
export const text = () => z.string().check(z.minLength(1));
export const texts = () => z.array(text());
export const list = (about: string) => describe(texts(), about);
export const choice = <const T extends readonly string[]>(values: T, about: string) =>
  describe(z.enum(values), about);
export const flag = (about: string) => describe(z.boolean(), about);
export const words = (about: string) => describe(text(), about);
export const whole = (least: number, most: number, about: string) =>
  describe(z.int().check(z.gte(least), z.lte(most)), about);
export const count = (most: number, about: string) => whole(1, most, about);
export const number = (least: number, most: number, about: string) =>
  describe(z.number().check(z.gte(least), z.lte(most)), about);
