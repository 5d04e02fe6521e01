import type { AuthContext, GenericEndpointContext } from "@better-auth/core";
import { defineRequestState, hasRequestState } from "@better-auth/core/context";
import { createAuthMiddleware } from "better-auth/api";
import * as z from "zod";

/** What a sign-up is about to hash. It is handed out once, and never past the request. */
const prepared = defineRequestState<{ password?: string; hash?: Promise<string> }>(() => ({}));

/**
 * Has the password of a sign-up hashed before core's endpoint, by the last of all hooks. Core itself
 * does so inside its transaction: there, sign-ups that wait for their turn hold the database's
 * connections, or SQLite's only one, and who needs no hash at all waits with them.
 */
export function hashBeforeSignUp(ctx: AuthContext): void {
	ctx.password = withPreparedHash(ctx.password);
	const before = [
		{
			matcher: ({ path }: { path?: string }) => path === "/sign-up/email",
			handler: createAuthMiddleware(prepareHash),
		},
	];
	ctx.options = {
		...ctx.options,
		plugins: [...(ctx.options.plugins ?? []), { id: "tenant-auth-passwords", hooks: { before } }],
	};
}

function withPreparedHash(passwords: AuthContext["password"]): AuthContext["password"] {
	return {
		...passwords,
		async hash(password) {
			const request = (await hasRequestState()) ? await prepared.get() : null;
			if (!request?.hash || request.password !== password) return passwords.hash(password);
			const made = request.hash;
			await prepared.set({});
			return made;
		},
	};
}

const signUp = z.object({ name: z.string(), email: z.email(), password: z.string() });

async function prepareHash(ctx: GenericEndpointContext): Promise<void> {
	const { options, password: passwords } = ctx.context;
	const { minPasswordLength, maxPasswordLength } = passwords.config;
	const { data } = signUp.safeParse(ctx.body);
	// What core refuses before it would hash is not hashed here either.
	if (!data || !options.emailAndPassword?.enabled || options.emailAndPassword.disableSignUp) return;
	const { password } = data;
	if (password.length < minPasswordLength || password.length > maxPasswordLength) return;
	const hash = passwords.hash(password);
	// If it fails, core is to hear so where it asks for it.
	await Promise.allSettled([hash]);
	await prepared.set({ password, hash });
}
