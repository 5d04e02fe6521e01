import { betterAuth } from "better-auth";
import { options } from "./options.js";

export * from "./options.js";

export const auth = betterAuth(options);
