import { betterAuth } from "better-auth";

export const auth = betterAuth({ emailAndPassword: { enabled: true } });

export const findSession = (headers: Headers) => auth.api.getSession({ headers });
