import type { AuthContext, GenericEndpointContext } from "@better-auth/core";
import { createAuthMiddleware } from "better-auth/api";
import * as z from "zod";
import { defineCallState } from "../../context/current-state";
import { policyOf } from "../../context/endpoint-policies";

/** The hash of a sign-up. It is used once, and only in its own call. */
const prepared = defineCallState<{ current: Prepared | null }>(() => ({ current: null }));

interface Prepared {
	password: string;
	hash: Promise<string>;
}

/**
 * Hashes the password of a sign-up before core's endpoint, in the last of all hooks.
 *
 * Core hashes inside its transaction. There, sign-ups that wait for their turn hold connections of the
 * database, or the only one of SQLite, and requests that need no hash wait with them.
 */
export function hashBeforeSignUp(ctx: AuthContext): void {
	ctx.password = withPreparedHash(ctx.password);
	const before = [
		{
			matcher: ({ path }: { path?: string }) => policyOf(path).hashesInTransaction === true,
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
			const call = prepared.find();
			if (call?.current?.password !== password) return passwords.hash(password);
			const { hash } = call.current;
			call.current = null;
			return hash;
		},
	};
}

const signUp = z.object({ name: z.string(), email: z.email(), password: z.string() });

async function prepareHash(ctx: GenericEndpointContext): Promise<void> {
	const { options, password: passwords } = ctx.context;
	const { minPasswordLength, maxPasswordLength } = passwords.config;
	const { data } = signUp.safeParse(ctx.body);
	// What core rejects before it hashes is not hashed here either.
	if (!data || !options.emailAndPassword?.enabled || options.emailAndPassword.disableSignUp) return;
	const { password } = data;
	if (password.length < minPasswordLength || password.length > maxPasswordLength) return;
	const hash = passwords.hash(password);
	// If it fails, it fails where core asks for it.
	await Promise.allSettled([hash]);
	prepared.get().current = { password, hash };
}
