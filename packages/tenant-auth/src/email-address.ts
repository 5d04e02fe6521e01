import * as z from "zod";

/** What is an email address wherever a user can get one. Core's sign-up has the same check. */
export const emailSchema = z.email().max(255);

export const isEmailAddress = (text: string): boolean => emailSchema.safeParse(text).success;
