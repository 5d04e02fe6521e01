import { betterAuth } from "better-auth";
import { options } from "./options";

export * from "./options";

export const auth = betterAuth(options);
