import { toNextJsHandler } from "better-auth/next-js";
import { fastHandler } from "better-auth-tenant";
import { auth } from "../../../../auth";

export const { GET, POST } = toNextJsHandler(fastHandler(auth));
